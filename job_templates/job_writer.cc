// SPDX-License-Identifier: GPL-2.0-only
#include "job_templates/job_writer.h"

#include <algorithm>
#include <filesystem>

#include "base/size_text.h"
#include "ioengine/replay/job_plan.h"
#include "job_templates/job_value.h"

namespace ioflux {
namespace {

/// From the root, without `.` components. A `..` stays: behind a link it is not what it looks like.
std::string Absolute(const std::string& path) {
  std::error_code ignored;
  std::filesystem::path absolute;
  for (const std::filesystem::path& component : std::filesystem::absolute(path, ignored)) {
    if (component != ".") absolute /= component;
  }
  return absolute.string();
}

std::string TraceLine(const ReplaySettings& settings, const TraceHeader& header) {
  // Names of the header are anybody's text, and the rest of a longer comment would be an option.
  std::string text = "; " + OneLine(settings.text(Setting::kTrace)) + ": " + OneLine(header.kind);
  if (!header.profile.empty()) text += "/" + OneLine(header.profile);
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
  if (const Result<void> fits = CheckJobValue(info.option, value); !fits) {
    Error error = fits.error();  // it is read by whoever typed the flag
    if (info.audience == SettingAudience::kUser) error.where.item = "--" + std::string(info.flag);
    return error;
  }
  return Comment(info) + (is_default ? ";" : "") + std::string(info.option) + "=" + value + "\n";
}

}  // namespace

ReplaySettings WithAbsolutePaths(const ReplaySettings& settings) {
  ReplaySettings absolute = settings;
  for (const SettingInfo& info : AllSettings()) {
    if (info.type != SettingType::kPath || !settings.is_set(info.id)) continue;
    // Every text is a legal path.
    static_cast<void>(absolute.Set(info.id, Absolute(settings.text(info.id))));
  }
  return absolute;
}

Result<std::string> WriteJobFile(const JobFileRequest& request) {
  const auto streams =
      static_cast<std::uint32_t>(std::max<std::int64_t>(request.header->summary.num_streams, 1));
  const std::uint32_t jobs = PlanJobs(*request.settings, streams, request.processors);
  if (jobs > kMaxFioJobs) {
    return Error{.kind = ErrorKind::kUnsupported,
                 .what = "the trace has " + std::to_string(streams) + " streams for " +
                         std::to_string(jobs) + " jobs, and fio holds at most " +
                         std::to_string(kMaxFioJobs),
                 .where = {.path = request.settings->text(Setting::kTrace), .line = 0, .item = {}},
                 .mend = "use --io uring, whose jobs replay many streams each"};
  }
  const ReplaySettings settings = WithAbsolutePaths(*request.settings);
  const std::string library = Absolute(request.engine_library);
  IOFLUX_RETURN_IF_ERROR(CheckJobEngine(library));
  std::string text = "; Made by " + request.tool + ". Run it with: fio FILE\n";
  text += TraceLine(settings, *request.header);
  text += "\n[global]\nioengine=external:" + library + "\n";
  text +=
      "; all streams in one process\nthread\n; one block of results for all "
      "streams\ngroup_reporting\n";
  for (const SettingInfo& info : AllSettings()) {
    IOFLUX_ASSIGN_OR_RETURN(const std::string lines, SettingLines(settings, info));
    text += lines;
  }
  text += Multiplexes(settings) ? "\n; the jobs share the streams of the trace\n"
                                : "\n; one job per stream of the trace, no more and no less\n";
  text += "[stream]\nnumjobs=" + std::to_string(jobs) + "\n";
  return text;
}

}  // namespace ioflux
