// SPDX-License-Identifier: GPL-2.0-only
#include "cli/run_judgement.h"

#include "analysis/run_verdict.h"
#include "cli/command.h"

namespace ioflux {

ExitCode JudgeResult(const RunResult& result, const std::string& label) {
  const std::string start = "ioflux: " + label;
  if (result.fidelity.low_fidelity) {
    PrintErr(start + "warning: low fidelity: " + result.fidelity.low_fidelity_reason + "\n");
  }
  ExitCode code = kExitGood;
  // Also of a run that is whole: what nobody has counted a second time is not known to be right.
  if (!result.fio.cross_check.agrees) {
    PrintErr(start + "fio " + CrossCheckWords(result.fio.cross_check) + "\n");
    code = kExitRefused;
  }
  // With failed operations the engine itself makes fio end so; that is said below.
  if (result.fio.exit_status != 0 && result.complete && result.errors == 0) {
    PrintErr(start + "fio ended with status " + std::to_string(result.fio.exit_status) +
             " though every operation was replayed\n");
    code = kExitRefused;
  }
  if (!result.complete) {
    PrintErr(start + "the run is incomplete: " + result.incomplete_reason + "\n");
    code = kExitRefused;
  }
  for (const std::string& reason : InvalidReasons(result)) {
    PrintErr(start + "the run is invalid: " + reason + "\n");
    code = kExitRefused;
  }
  if (const std::string hint = OrderHint(result); !hint.empty()) PrintErr("  try: " + hint + "\n");
  return code;
}

}  // namespace ioflux
