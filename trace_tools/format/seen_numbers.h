// SPDX-License-Identifier: GPL-2.0-only
//
// SeenNumbers: which numbers (op ids, handles) a trace has used, and at which line each came first.
//
// Rising numbers, which is what every known writer gives, are kept as runs, delta-coded: a trace
// numbered in file order is one run, and a number that rises with gaps costs 2 to 4 bytes. Numbers
// that come late (below the largest so far) go to a bitmap: 16 bytes for each 64 neighbours, so
// about 2 bits each when dense and 21 to 43 bytes each when scattered. Their lines are kept for the
// first kLateLines only.
//
// Threading: one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "trace_tools/format/int64_map.h"

namespace ioflux {

class SeenNumbers {
 public:
  static constexpr std::size_t kLateLines = 65'536;

  struct Sighting {
    std::uint64_t line = 0;  ///< 0 when it is not known any more
  };

  /// Notes that `number` is on `line` if that is what comes next, one up on both. False when not,
  /// and nothing is noted.
  bool Extend(std::int64_t number, std::uint64_t line) {
    const std::uint64_t length = Distance(run_.first, number);
    if (length != Distance(run_.first, run_.last) + 1 || number <= run_.last) return false;
    if (line != run_.first_line + length || !any_) return false;
    run_.last = number;
    return true;
  }

  /// Notes that `number` is on `line`. What was noted of it before, if it was.
  std::optional<Sighting> Add(std::int64_t number, std::uint64_t line) {
    if (Extend(number, line)) return std::nullopt;
    return AddElsewhere(number, line);
  }

  std::optional<Sighting> Find(std::int64_t number);

 private:
  // Numbers in a row on lines in a row.
  struct Run {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::uint64_t first_line = 0;
  };
  // Where a block of kBlockRuns coded runs starts; its first run is here in full.
  struct Block {
    std::int64_t first = 0;
    std::uint64_t first_line = 0;
    std::uint64_t code_at = 0;
  };
  struct Bits64 {
    std::uint64_t bits = 0;
    bool empty() const { return bits == 0; }
  };
  struct Line {
    std::uint64_t line = 0;
    bool empty() const { return line == 0; }
  };

  // From `low` up to `high`, which may be more than an int64 holds.
  static std::uint64_t Distance(std::int64_t low, std::int64_t high) {
    return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  }
  static std::uint64_t LineOf(const Run& run, std::int64_t number) {
    return run.first_line + Distance(run.first, number);
  }

  std::optional<Sighting> AddElsewhere(std::int64_t number, std::uint64_t line);
  std::optional<Sighting> FindRising(std::int64_t number) const;
  void StoreRun();
  void AppendCode(std::uint64_t value);
  std::uint64_t ReadCode(std::uint64_t& at) const;

  bool any_ = false;
  Run run_;  // the one being extended; the others are in code_
  Run last_stored_;
  std::uint64_t stored_runs_ = 0;
  std::deque<Block> blocks_;
  std::deque<std::uint8_t> code_;

  Int64Map<Bits64> late_;
  Int64Map<Line> late_lines_;
};

}  // namespace ioflux
