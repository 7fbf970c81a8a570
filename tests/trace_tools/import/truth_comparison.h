// SPDX-License-Identifier: GPL-2.0-only
//
// Truth comparison: an imported capture against what the program itself logged about its calls.
//
// The log knows nothing of strace; file positions, ends of files and duplicated descriptors are
// followed here by a second, independent model. What must agree, thread by thread and in order: the
// file, offset, requested and returned bytes of each read and write, each open with its mode and
// flags, each fsync, and each close of an open file that was never duplicated or inherited. What
// the log does not have (the loader's calls) is left aside and counted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/trace_tools/import/imported_capture.h"

namespace ioflux {

struct TruthOptions {
  /// The capture ends before the program does: what is there must be how the log begins.
  bool capture_is_cut = false;
  /// The capture begins after the program does: what is there must be how the log ends. Closes are
  /// left aside, since they end files whose opening the capture does not have.
  bool capture_is_late = false;
  /// File positions were assumed (attached to a running program): do not compare their offsets.
  bool positions_assumed = false;
  /// Other names of the same file, as links make them: name in the log -> name in the trace.
  std::map<std::string, std::string> aliases{};
};

struct TruthResult {
  std::vector<std::string> mismatches;  ///< the first of each thread
  std::uint64_t compared = 0;           ///< operations that agree
  std::uint64_t not_in_truth = 0;       ///< operations of the trace on files the log does not name
  std::uint64_t synthetic_opens = 0;    ///< OPENs of the trace that the log has no call for
  std::uint64_t missing = 0;            ///< of the log, beyond what the capture holds
};

TruthResult CompareWithTruth(const ImportedForTest& imported, const std::string& truth_path,
                             const TruthOptions& options);

}  // namespace ioflux
