// SPDX-License-Identifier: GPL-2.0-only
#include "job_templates/job_writer.h"

#include <algorithm>
#include <filesystem>

#include "base/size_text.h"

namespace ioflux {
namespace {

/// The value as a job file takes it. fio substitutes `${NAME}` and ends a value at a line end;
/// there is no quoting.
Result<std::string> JobValue(const SettingInfo& info, const std::string& text) {
  if (text.find('\n') != std::string::npos || text.find("${") != std::string::npos ||
      text.starts_with(' ') || text.ends_with(' ')) {
    return Error{.kind = ErrorKind::kUsage,
                 .what = "'" + text + "' cannot be written in a fio job file",
                 .where = {.path = {}, .line = 0, .item = std::string(info.option)},
                 .mend = "use a path without line ends, outer blanks and ${"};
  }
  return text;
}

std::string Absolute(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).lexically_normal().string();
}

std::string TraceLine(const ReplaySettings& settings, const TraceHeader& header) {
  std::string text = "; " + settings.text(Setting::kTrace) + ": " + header.kind;
  if (!header.profile.empty()) text += "/" + header.profile;
  return text + ", " + std::to_string(header.summary.num_streams) + " stream(s), " +
         std::to_string(header.summary.num_ops) + " ops, " +
         FormatSizeHuman(
             static_cast<std::uint64_t>(std::max<std::int64_t>(header.summary.total_bytes, 0))) +
         "\n";
}

std::string Comment(const SettingInfo& info) {
  std::string text = "; " + std::string(info.help);
  if (!info.choices.empty()) {
    text += ":";
    for (const SettingChoice& choice : info.choices) {
      text += "\n;   " + std::string(choice.word) + ": " + std::string(choice.help);
    }
  }
  return text + "\n";
}

Result<std::string> SettingLines(const ReplaySettings& settings, const SettingInfo& info) {
  const std::string& value = settings.text(info.id);
  const bool is_default = value == info.fallback;
  if (is_default && info.audience == SettingAudience::kEngine) return std::string();
  const bool is_path = info.type == SettingType::kPath;
  IOFLUX_ASSIGN_OR_RETURN(const std::string text,
                          JobValue(info, is_path && !value.empty() ? Absolute(value) : value));
  return Comment(info) + (is_default ? ";" : "") + std::string(info.option) + "=" + text + "\n";
}

}  // namespace

Result<std::string> WriteJobFile(const JobFileRequest& request) {
  const std::int64_t streams = std::max<std::int64_t>(request.header->summary.num_streams, 1);
  if (streams > kMaxFioJobs) {
    return Error{.kind = ErrorKind::kUnsupported,
                 .what = "the trace has " + std::to_string(streams) +
                         " streams, and fio runs at most " + std::to_string(kMaxFioJobs) + " jobs",
                 .where = {.path = request.settings->text(Setting::kTrace), .line = 0, .item = {}},
                 .mend = "split the trace by streams"};
  }
  std::string text = "; Made by " + request.tool + ". Run it with: fio FILE\n";
  text += TraceLine(*request.settings, *request.header);
  text += "\n[global]\nioengine=external:" + Absolute(request.engine_library) + "\n";
  text +=
      "; all streams in one process\nthread\n; one block of results for all "
      "streams\ngroup_reporting\n";
  for (const SettingInfo& info : AllSettings()) {
    IOFLUX_ASSIGN_OR_RETURN(const std::string lines, SettingLines(*request.settings, info));
    text += lines;
  }
  text += "\n; one job per stream of the trace, no more and no less\n[stream]\nnumjobs=" +
          std::to_string(streams) + "\n";
  return text;
}

}  // namespace ioflux
