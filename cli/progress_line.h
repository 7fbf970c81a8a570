// SPDX-License-Identifier: GPL-2.0-only
//
// ProgressLine: one line on standard error while a replay runs, redrawn in place: ops, bytes, rate,
// time left. Silent when standard error is not a terminal.
#pragma once

#include <cstdint>
#include <string>

#include "ioengine/replay/progress_file.h"

namespace ioflux {

/// The text of the line, without control characters.
std::string ProgressText(const ProgressTotals& totals, std::int64_t elapsed_ns);

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();  ///< clears the line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(const ProgressTotals& totals, std::int64_t elapsed_ns);

 private:
  bool terminal_;
  bool drawn_ = false;
};

}  // namespace ioflux
