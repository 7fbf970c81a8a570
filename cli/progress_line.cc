// SPDX-License-Identifier: GPL-2.0-only
#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/duration_text.h"
#include "base/size_text.h"

namespace ioflux {

std::string ProgressText(const ProgressTotals& totals, std::int64_t elapsed_ns) {
  if (totals.planned_ops == 0) return "preparing";
  const double seconds = static_cast<double>(elapsed_ns) / 1e9;
  const double rate = seconds > 0 ? static_cast<double>(totals.ops) / seconds : 0;
  const double byte_rate = seconds > 0 ? static_cast<double>(totals.bytes) / seconds : 0;
  std::string text = fmt::format(
      "{}/{} ops ({:.0f}%), {}, {:.0f} ops/s, {}/s", totals.ops, totals.planned_ops,
      100.0 * static_cast<double>(totals.ops) / static_cast<double>(totals.planned_ops),
      FormatSizeHuman(totals.bytes), rate, FormatSizeHuman(static_cast<std::uint64_t>(byte_rate)));
  if (rate > 0 && totals.ops < totals.planned_ops) {
    const double left = static_cast<double>(totals.planned_ops - totals.ops) / rate;
    text += fmt::format(", ETA {:.0f}s", left);
  }
  return text;
}

namespace {

void Draw(const std::string& text) { std::fputs(("\r\x1b[K" + text).c_str(), stderr); }

}  // namespace

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (drawn_) Draw("");
}

void ProgressLine::Show(const ProgressTotals& totals, std::int64_t elapsed_ns) {
  if (!terminal_) return;
  Draw(ProgressText(totals, elapsed_ns));
  drawn_ = true;
}

}  // namespace ioflux
