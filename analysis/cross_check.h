// SPDX-License-Identifier: GPL-2.0-only
//
// The engine and fio count the same operations independently; this compares the two. They must
// agree to the byte. READ and GET are fio's reads, WRITE and PUT its writes, FSYNC its syncs;
// operations without a counterpart in fio (OPEN, STAT …) are not compared.
//
// An interrupted run may differ by what was in flight: the differences are listed all the same,
// with a note that says so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/fio_json.h"
#include "analysis/side_file.h"

namespace ioflux {

struct CrossCheckRow {
  std::string name;  ///< "read", "write" or "sync"
  std::int64_t engine_ops = 0;
  std::int64_t fio_ops = 0;
  std::int64_t engine_bytes = 0;
  std::int64_t fio_bytes = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("name", self.name);
    archive.Required("engine_ops", self.engine_ops);
    archive.Required("fio_ops", self.fio_ops);
    archive.Required("engine_bytes", self.engine_bytes);
    archive.Required("fio_bytes", self.fio_bytes);
  }
};

struct CrossCheck {
  bool agrees = false;
  std::string not_compared;              ///< why there was nothing to compare; else empty
  std::vector<std::string> differences;  ///< one sentence each; empty when they agree
  std::string note;                      ///< what the differences may be due to; may be empty
  std::vector<CrossCheckRow> rows;       ///< read, write, sync

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("agrees", self.agrees);
    archive.Optional("not_compared", self.not_compared);
    archive.Required("differences", self.differences);
    archive.Optional("note", self.note);
    archive.Required("rows", self.rows);
  }
};

/// `engine` is the union of all side files of the run.
CrossCheck CompareCounts(const SideFile& engine, const FioOutput& fio);

/// When fio left no JSON that can be read: neither agrees nor differs, and says why.
CrossCheck NothingToCompare(const std::string& reason);

}  // namespace ioflux
