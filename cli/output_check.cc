// SPDX-License-Identifier: GPL-2.0-only
#include "cli/output_check.h"

#include <filesystem>
#include <system_error>

#include "base/atomic_file.h"
#include "base/regular_file.h"
#include "ioengine/replay/own_files.h"
#include "trace_tools/format/trace_reader.h"

namespace ioflux {
namespace {

bool IsFileName(const std::string& name) { return !name.empty() && name != "-"; }

/// Also of two that do not exist yet.
bool SameFile(const std::string& a, const std::string& b) {
  std::error_code fault;
  if (std::filesystem::equivalent(a, b, fault) && !fault) return true;
  const auto path_a = std::filesystem::weakly_canonical(std::filesystem::absolute(a), fault);
  const auto path_b = std::filesystem::weakly_canonical(std::filesystem::absolute(b), fault);
  return !fault && path_a == path_b;
}

}  // namespace

Result<void> CheckOutputIsNoInput(const std::string& output,
                                  const std::vector<std::string>& inputs) {
  if (!IsFileName(output)) return {};
  IOFLUX_RETURN_IF_ERROR(CheckOutputKind(output));
  for (const std::string& input : inputs) {
    if (!IsFileName(input) || !SameFile(output, input)) continue;
    std::error_code fault;
    if (std::filesystem::is_character_file(output, fault)) continue;  // /dev/null
    return Error{.kind = ErrorKind::kUsage,
                 .what = "the output would replace " + input + ", which this command uses too",
                 .where = {.path = output, .line = 0, .item = {}},
                 .mend = "name another output"};
  }
  return {};
}

Result<void> CheckOutputIsNoTarget(const std::string& output, std::string_view what,
                                   const ReplaySettings& settings) {
  if (!IsFileName(output)) return {};
  const std::string& trace_path = settings.text(Setting::kTrace);
  if (!CheckRegularFile(trace_path, "the trace")) return {};
  const Result<TraceReader> reader = TraceReader::Open(trace_path);
  if (!reader) return {};
  const Result<RunTargets> where =
      ResolveRunTargets(settings, reader.value().header(), MissingRoot::kLeave);
  if (!where) return {};
  return CheckOutputIsNoTarget(output, what, where.value());
}

}  // namespace ioflux
