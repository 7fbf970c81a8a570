// SPDX-License-Identifier: GPL-2.0-only
#include "cli/run_failure.h"

#include <algorithm>
#include <string>

#include "base/stopping.h"
#include "ioengine/replay/setting_words.h"

namespace ioflux {
namespace {

constexpr std::string_view kOurs = "ioflux: ";
constexpr std::string_view kAdvice = "  try: ";

/// The engine's lines of what fio printed, each once, with their advice; without the mark.
std::string EngineMessages(const std::string& messages) {
  std::string ours;
  bool in_ours = false;
  for (std::size_t start = 0; start < messages.size();) {
    const std::size_t stop = std::min(messages.find('\n', start), messages.size());
    const std::string line = messages.substr(start, stop - start);
    start = stop + 1;
    // An advice line belongs to the message above it.
    in_ours = line.starts_with(kOurs) || (in_ours && line.starts_with(kAdvice));
    if (!in_ours) continue;
    const std::string text = line.starts_with(kOurs) ? line.substr(kOurs.size()) : line;
    if (ours.find(text) == std::string::npos) ours += (ours.empty() ? "" : "\n") + text;
  }
  return ours;
}

/// Several lines as one; an Error has a line of fact and a line of advice.
std::string InOneLine(std::string_view lines) {
  std::string line;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view part = lines.substr(0, end);
    const std::size_t text = std::min(part.find_first_not_of(' '), part.size());
    if (text < part.size() && !line.empty()) line += "; ";
    line += part.substr(text);
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return line;
}

/// What the engine, fio or else its exit status says.
Error SaidBy(const FioEnd& end, std::string reason) {
  reason = reason.empty() ? end.messages : OptionsToFlags(reason);
  std::string mend;
  if (const std::size_t advice = reason.find("\n" + std::string(kAdvice));
      advice != std::string::npos) {
    mend = InOneLine(std::string_view(reason).substr(advice + 1 + kAdvice.size()));
    reason.resize(advice);
  }
  reason = InOneLine(reason);
  if (reason.empty()) {
    reason = end.signal != 0
                 ? "fio was ended by signal " + std::to_string(end.signal)
                 : "fio ended with " + std::to_string(end.exit_status) + " and without a message";
  }
  return Error{.kind = ErrorKind::kFailed, .what = reason, .where = {}, .mend = mend};
}

}  // namespace

Error InterruptedEarly(std::string_view phase) {
  return Error{.kind = ErrorKind::kFailed,
               .what = "the run was interrupted before its first operation, " + std::string(phase),
               .where = {},
               .mend = ""};
}

Error NoResult(const FioEnd& end, int stop_requests, const ProgressTotals& progress) {
  const std::string said = EngineMessages(end.messages);
  if (stop_requests == 0) return SaidBy(end, said);
  if (said.starts_with(kStoppedWhile)) {
    // "stopped while preparing the targets" -> "while preparing the targets"
    return InterruptedEarly(said.substr(kStoppedWhile.find("while")));
  }
  if (!said.empty()) return SaidBy(end, said);
  if (progress.ops > 0) {
    return Error{.kind = ErrorKind::kFailed,
                 .what = "the run was ended by force after " + std::to_string(progress.ops) +
                         " operation(s), before it could write its result",
                 .where = {},
                 .mend =
                     "ask it once to stop, and it ends with a result after the operations "
                     "that are under way"};
  }
  return InterruptedEarly(progress.planned_ops > 0 ? "while fio started its jobs"
                                                   : "while fio started");
}

}  // namespace ioflux
