// SPDX-License-Identifier: GPL-2.0-only
#include "cli/dry_run.h"

#include "analysis/report_format.h"
#include "cli/command.h"
#include "cli/engine_library.h"
#include "cli/outline_text.h"
#include "job_templates/job_writer.h"
#include "trace_tools/format/trace_reader.h"

namespace ioflux {
namespace {

/// What a run needs beside what the engine looks at: the engine itself, and a job file.
Result<void> CheckLaunch(const ReplayRequest& request) {
  IOFLUX_ASSIGN_OR_RETURN(const std::string library, FindEngineLibrary(request.engine_library));
  IOFLUX_ASSIGN_OR_RETURN(const TraceReader reader,
                          TraceReader::Open(request.settings.text(Setting::kTrace)));
  IOFLUX_ASSIGN_OR_RETURN([[maybe_unused]] const std::string job_file,
                          WriteJobFile({.settings = &request.settings,
                                        .header = &reader.header(),
                                        .engine_library = library,
                                        .tool = "ioflux " + std::string(kToolVersion)}));
  return {};
}

std::string RepetitionLine(const RunCounts& counts) {
  if (counts.trials == 1 && counts.warmups == 0) return "";
  return "Repeated: " + Counted(counts.warmups, "warm-up") + " and " +
         Counted(counts.trials, "trial") +
         ", each prepared anew; files that one of them creates are removed before the next\n";
}

}  // namespace

Result<ExitCode> DryRun(const ReplayRequest& request, const RunCounts& counts, bool json) {
  IOFLUX_ASSIGN_OR_RETURN(RunOutline outline, OutlineRun(request.settings));
  // What the engine refuses makes fio fail; what comes before it ends as the run itself does.
  ExitCode code = outline.refusal ? kExitRefused : kExitGood;
  if (!outline.refusal) {
    if (const Result<void> launch = CheckLaunch(request); !launch) {
      outline.refusal = launch.error();
      code = ExitCodeOf(launch.error().kind);
    }
  }
  if (json) {
    JsonValue document = OutlineToJson(outline, request.settings);
    document.Set("trials", counts.trials).Set("warmups", counts.warmups);
    PrintOut(document.Dump(/*escape_html=*/false));
  } else {
    PrintOut(RenderOutline(outline, request.settings) + RepetitionLine(counts));
    if (!outline.refusal) PrintOut("Nothing was touched.\n");
  }
  if (!outline.refusal) return kExitGood;
  PrintErr("ioflux: the run would be refused: " + Describe(*outline.refusal) + "\n");
  return code;
}

void AnnounceRun(const ReplayRequest& request, const Stopping& stopping, bool on_stdout) {
  if (!CheckLaunch(request)) return;
  const Result<RunOutline> outline = OutlineRun(request.settings, stopping);
  if (!outline || outline.value().refusal) return;
  const std::string line = AnnouncementLine(outline.value()) + "\n";
  on_stdout ? PrintOut(line) : PrintErr(line);
  for (const std::string& warning : outline.value().warnings)
    PrintErr("ioflux: warning: " + warning + "\n");
}

}  // namespace ioflux
