// SPDX-License-Identifier: GPL-2.0-only
#include "cli/outline_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "analysis/report_format.h"
#include "base/duration_text.h"
#include "base/size_text.h"

namespace ioflux {
namespace {

std::string Size(std::int64_t bytes) {
  return FormatSizeHuman(static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0)));
}

/// "1056 READ · 48 OPEN"
std::string Kinds(const RunOutline& outline) {
  std::vector<std::string> parts;
  for (int i = 0; i < kOpKinds; ++i) {
    const std::uint64_t count = outline.op_counts[static_cast<std::size_t>(i)];
    if (count > 0) parts.push_back(fmt::format("{} {}", count, NameOf(static_cast<OpKind>(i))));
  }
  return fmt::format("{}", fmt::join(parts, " · "));
}

/// How long it takes; a clause.
std::string PaceWords(const RunPace& pace) {
  if (!pace.planned_ns) {
    return fmt::format("as fast as the storage answers (the source took {})",
                       FormatDuration(pace.recorded_ns));
  }
  if (pace.shortest_ns) {
    return fmt::format("planned {} if every operation takes as long as in the source, at least {}",
                       FormatDuration(*pace.planned_ns), FormatDuration(*pace.shortest_ns));
  }
  return fmt::format("planned {}", FormatDuration(*pace.planned_ns));
}

/// "  create     8 targets, 2.00 MiB: a, b, …"; nothing for no targets.
std::string TargetLine(std::string_view what, const OutlinedTargets& targets) {
  if (targets.count == 0) return "";
  std::vector<std::string> names;
  for (const std::string& name : targets.first_names) names.push_back(Printable(name));
  if (targets.count > static_cast<std::int64_t>(names.size())) names.push_back("…");
  const std::string bytes = targets.bytes > 0 ? ", " + Size(targets.bytes) : "";
  return fmt::format("  {:<15} {}{}: {}\n", what, Counted(targets.count, "target"), bytes,
                     fmt::join(names, ", "));
}

std::string PreparationPage(const RunOutline& outline, const ReplaySettings& settings) {
  const std::string lines =
      TargetLine("make", outline.made) + TargetLine("make again", outline.remade) +
      TargetLine("make as folder", outline.made_folders) + TargetLine("keep", outline.kept) +
      TargetLine("verify", outline.verified) + TargetLine("leave to trace", outline.left_to_trace);
  return fmt::format("Prepare: {}\n{}", settings.text(Setting::kPrepare), lines);
}

std::string RunPage(const RunOutline& outline) {
  const std::string lines = TargetLine("read", outline.read) +
                            TargetLine("write", outline.written) +
                            TargetLine("delete", outline.deleted);
  return "Run:\n" + (lines.empty() ? "  no target is read, written or deleted\n" : lines);
}

std::string SpacePage(const RunOutline& outline) {
  std::string text;
  for (const SpaceNeed& need : outline.space) {
    text += fmt::format("Space: {}: {} for preparation, up to {} for the run, {} free\n",
                        Printable(need.place), Size(need.prepare_bytes), Size(need.run_bytes),
                        Size(need.free_bytes));
  }
  return text;
}

JsonValue TargetsToJson(const OutlinedTargets& targets) {
  JsonValue names = JsonValue::Array();
  for (const std::string& name : targets.first_names) names.Append(JsonValue::String(name));
  JsonValue json = JsonValue::Object();
  json.Set("targets", targets.count).Set("bytes", targets.bytes).Set("first_names", names);
  return json;
}

JsonValue SpaceToJson(const std::vector<SpaceNeed>& needs) {
  JsonValue json = JsonValue::Array();
  for (const SpaceNeed& need : needs) {
    JsonValue item = JsonValue::Object();
    item.Set("place", need.place)
        .Set("prepare_bytes", need.prepare_bytes)
        .Set("prepare_files", need.prepare_files)
        .Set("run_bytes", need.run_bytes)
        .Set("free_bytes", need.free_bytes);
    if (need.free_files >= 0) item.Set("free_files", need.free_files);
    json.Append(item);
  }
  return json;
}

void SetPace(const RunPace& pace, JsonValue& json) {
  if (pace.planned_ns) json.Set("planned_ns", *pace.planned_ns);
  if (pace.shortest_ns) json.Set("shortest_ns", *pace.shortest_ns);
  json.Set("recorded_ns", pace.recorded_ns).Set("peak_streams", pace.peak_streams);
}

}  // namespace

std::string AnnouncementLine(const RunOutline& outline) {
  return fmt::format("{}: {} in {} (at most {} at a time), {} to read, {} to write, {}", outline.mode,
                     Counted(outline.ops, "op"), Counted(outline.streams, "stream"),
                     outline.pace.peak_streams, Size(outline.read.bytes),
                     Size(outline.written.bytes), PaceWords(outline.pace));
}

std::string RenderOutline(const RunOutline& outline, const ReplaySettings& settings) {
  std::string text = fmt::format(
      "Trace: {}\n       [{} · {}]\n       [{}]\n", Printable(settings.text(Setting::kTrace)),
      Counted(outline.streams, "stream"), Counted(outline.ops, "op"), Kinds(outline));
  text += fmt::format("Engine: {}  mode: {}  cache: {}\n", settings.text(Setting::kBackend),
                      outline.mode, settings.text(Setting::kCacheMode));
  text += fmt::format("Duration: {}\n", PaceWords(outline.pace));
  text += fmt::format("Peak: {} at a time", Counted(outline.pace.peak_streams, "stream"));
  if (outline.descriptors_needed > 0)
    text += fmt::format(", at most {} open files", outline.descriptors_needed);
  text += "\n";
  if (!outline.root_path.empty()) {
    text += fmt::format("Target root: {}{}\n", Printable(outline.root_path),
                        outline.makes_root ? ", which would be made" : "");
  }
  text += PreparationPage(outline, settings) + RunPage(outline) + SpacePage(outline);
  for (const std::string& warning : outline.warnings)
    text += fmt::format("Warning: {}\n", Printable(warning));
  return text;
}

JsonValue OutlineToJson(const RunOutline& outline, const ReplaySettings& settings) {
  JsonValue json = JsonValue::Object();
  json.Set("artifact", "outline").Set("trace", settings.text(Setting::kTrace));
  json.Set("engine", settings.text(Setting::kBackend)).Set("mode", outline.mode);
  json.Set("streams", outline.streams).Set("ops", outline.ops);
  JsonValue counts = JsonValue::Object();
  for (int i = 0; i < kOpKinds; ++i) {
    const std::uint64_t count = outline.op_counts[static_cast<std::size_t>(i)];
    if (count > 0) counts.Set(NameOf(static_cast<OpKind>(i)), count);
  }
  json.Set("op_counts", counts);
  SetPace(outline.pace, json);
  json.Set("open_files", outline.descriptors_needed);
  json.Set("target_root", outline.root_path).Set("makes_target_root", outline.makes_root);
  JsonValue prepare = JsonValue::Object();
  prepare.Set("mode", settings.text(Setting::kPrepare));
  prepare.Set("make", TargetsToJson(outline.made))
      .Set("make_again", TargetsToJson(outline.remade))
      .Set("make_as_folder", TargetsToJson(outline.made_folders))
      .Set("keep", TargetsToJson(outline.kept))
      .Set("verify", TargetsToJson(outline.verified))
      .Set("leave_to_trace", TargetsToJson(outline.left_to_trace))
      .Set("left_over", TargetsToJson(outline.left_over));
  json.Set("prepare", prepare);
  JsonValue run = JsonValue::Object();
  run.Set("read", TargetsToJson(outline.read))
      .Set("write", TargetsToJson(outline.written))
      .Set("delete", TargetsToJson(outline.deleted));
  json.Set("run", run).Set("space", SpaceToJson(outline.space));
  JsonValue warnings = JsonValue::Array();
  for (const std::string& warning : outline.warnings) warnings.Append(JsonValue::String(warning));
  json.Set("warnings", warnings);
  json.Set("refused", outline.refusal.has_value());
  if (outline.refusal) json.Set("refusal", Describe(*outline.refusal));
  return json;
}

}  // namespace ioflux
