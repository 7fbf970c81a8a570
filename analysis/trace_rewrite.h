// SPDX-License-Identifier: GPL-2.0-only
//
// One declared rewrite of the trace, as its header records it (oldest first). Passive data.
#pragma once

#include <map>
#include <string>

namespace ioflux {

struct TraceRewrite {
  std::string kind;  ///< "split-reads"
  std::map<std::string, std::string> params;
  std::string source_digest;
  std::string applied_utc;
  std::string note;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("kind", self.kind);
    archive.Optional("params", self.params);
    archive.Optional("source_digest", self.source_digest);
    archive.Optional("applied_utc", self.applied_utc);
    archive.Optional("note", self.note);
  }
};

}  // namespace ioflux
