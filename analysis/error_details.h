// SPDX-License-Identifier: GPL-2.0-only
//
// What failed during a replay: how often, with which errno, and the first operations it hit.
// Passive data, the same in side files and results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ioflux {

/// Operations of one kind that failed in one way. errno 0 is a read that moved another number of
/// bytes than the trace says.
struct ErrorKindCount {
  std::string op;
  std::int64_t errno_value = 0;
  std::string error;  ///< text of the errno
  std::int64_t count = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("op", self.op);
    archive.Required("errno", self.errno_value);
    archive.Required("error", self.error);
    archive.Required("count", self.count);
  }
};

/// One failed operation.
struct FailedOp {
  std::int64_t op_id = 0;
  std::int64_t stream = 0;
  std::string op;
  std::string target;
  std::int64_t start_ns = 0;  ///< since the start of the replay
  std::int64_t offset_bytes = 0;
  std::int64_t length_bytes = 0;
  std::int64_t moved_bytes = 0;
  std::int64_t expected_bytes = 0;  ///< that the trace says were moved
  std::int64_t errno_value = 0;
  std::string error;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("op_id", self.op_id);
    archive.Required("stream", self.stream);
    archive.Required("op", self.op);
    archive.Required("target", self.target);
    archive.Required("start_ns", self.start_ns);
    archive.Required("offset", self.offset_bytes);
    archive.Required("length", self.length_bytes);
    archive.Required("moved", self.moved_bytes);
    archive.Required("expected", self.expected_bytes);
    archive.Required("errno", self.errno_value);
    archive.Required("error", self.error);
  }
};

struct ErrorDetails {
  std::int64_t count = 0;               ///< all failed operations
  std::vector<ErrorKindCount> by_kind;  ///< most frequent first
  std::vector<FailedOp> first;          ///< the first kFirstErrors, in order of time

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("count", self.count);
    archive.Required("by_kind", self.by_kind);
    archive.Required("first", self.first);
  }
};

/// So many failed operations are kept with their particulars.
inline constexpr std::size_t kFirstErrors = 100;

}  // namespace ioflux
