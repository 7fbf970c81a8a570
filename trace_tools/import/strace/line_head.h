// SPDX-License-Identifier: GPL-2.0-only
//
// LineHead: what strace writes before a call: whose line it is, when, and (with -n, -i) which call
// and from where. Every combination of -f, -Y, -t, -tt, -ttt, -r, -n and -i, to a file or to a
// terminal.
//
// Threading: pure functions. Views point into the line.
#pragma once

#include <cstdint>
#include <string_view>

namespace ioflux::strace {

struct TimeText {
  enum class Kind : std::uint8_t {
    kNone,
    kTimeOfDay,  ///< -t, -tt: seconds since midnight
    kSeconds,    ///< -ttt: since the epoch; -r: since the line before
  };
  Kind kind = Kind::kNone;
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  /// Right-aligned as -r alone writes it.
  bool aligned = false;
};

inline constexpr std::int64_t kNoTid = -1;

struct LineHead {
  std::int64_t tid = kNoTid;  ///< kNoTid when the line does not say
  TimeText time;
  std::string_view body;  ///< the rest, without blanks at either end
};

LineHead ReadHead(std::string_view line);

}  // namespace ioflux::strace
