// SPDX-License-Identifier: GPL-2.0-only
//
// CaptureLines: the lines of one or more files of a capture, in the order in which things happened.
//
// One file (-f) is in that order. Several files (-ff: one per thread) are merged by the time at
// which each call returned, since that is when it took effect; only a clone counts from its
// beginning, before anything its child does. The number of the thread comes from the end of the
// file's name.
//
// Threading: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_source.h"
#include "base/result.h"
#include "trace_tools/import/strace/capture_clock.h"
#include "trace_tools/import/strace/line_head.h"
#include "trace_tools/import/strace/line_reader.h"

namespace ioflux::strace {

struct CaptureLine {
  std::string_view text;  ///< valid until the next line is asked for
  LineHead head;
  std::int64_t t_ns = 0;  ///< if head.time is there
  std::size_t input = 0;
  std::uint64_t number = 0;  ///< in its file, from 1
  bool is_overlong = false;  ///< then `text` is empty

  bool has_time() const { return head.time.kind != TimeText::Kind::kNone; }
};

class CaptureLines {
 public:
  explicit CaptureLines(std::vector<ByteSource> sources);

  /// False at the end. kInput for files that cannot be merged, or cannot be read to their end.
  /// kUsage for files of the same content, of which all but one would be counted again.
  Result<bool> Next(CaptureLine& line);

  std::size_t input_count() const { return inputs_.size(); }
  const std::string& name_of(std::size_t input) const { return inputs_[input].reader.name(); }
  /// Number of the thread by the file's name; kNoTid if it has none.
  std::int64_t tid_of(std::size_t input) const { return inputs_[input].tid; }

 private:
  struct Input {
    LineReader reader;
    std::int64_t tid = kNoTid;
    CaptureClock clock;
    CaptureLine line;
    std::int64_t order_ns = 0;  // where `line` stands among those of the other files
    bool started = false;
    std::size_t content_hash = 0;  // of all lines so far, if there are several files
  };

  Result<void> Advance(std::size_t index);
  Result<void> CheckAllDiffer() const;

  std::vector<Input> inputs_;
  std::vector<std::pair<std::int64_t, std::size_t>> queue_;  // heap: (order, input), first on top
  std::optional<std::int64_t> reference_ns_;
  std::optional<std::size_t> taken_;
  bool started_ = false;
};

/// The thread number that `strace -ff -o X` put behind X: 31134 of "run/X.31134", also with .gz or
/// .zst behind it; kNoTid if there is none.
std::int64_t TidOfFileName(std::string_view name);

}  // namespace ioflux::strace
