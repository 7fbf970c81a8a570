// SPDX-License-Identifier: GPL-2.0-only
//
// A capture, imported for a test: its trace read back from the bytes that would be written, so a
// test sees what a user gets. A failure to import is a test failure unless asked for (ImportError).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace_tools/format/op.h"
#include "trace_tools/format/trace_header.h"
#include "trace_tools/import/import_account.h"
#include "trace_tools/import/model/source_model.h"

namespace ioflux {

struct ImportedForTest {
  TraceHeader header;
  std::vector<Op> ops;
  std::vector<std::string> op_lines;  ///< as written, without LF
  ImportAccount account;
  std::uint64_t clamped = 0;
  std::string bytes;

  /// Operations of one kind, in order.
  std::vector<Op> OpsOf(OpKind kind) const;
  /// Name of the target an operation is on, through its handle if need be.
  std::string NameOf(const Op& op) const;
  /// Target by name; a test failure and an empty one if there is none.
  Target TargetNamed(std::string_view name) const;
  std::vector<std::string> TargetNames() const;
};

/// Imports `text` as the one file of an strace capture.
ImportedForTest ImportText(std::string_view text, ModelOptions options = {});
ImportedForTest ImportFiles(const std::vector<std::string>& paths, ModelOptions options = {});
/// Several files of one capture: (name, content).
ImportedForTest ImportTexts(const std::vector<std::pair<std::string, std::string>>& files,
                            ModelOptions options = {});

/// What importing `text` is refused with; a test failure if it is not.
Error ImportError(std::string_view text);

/// Path of a sample capture, "" when the samples are not at hand: $IOFLUX_SAMPLES/strace/NAME, or
/// beside the project.
std::string SamplePath(std::string_view name);

/// Paths of a capture made with -ff, one file for each thread: NAME.strace.TID.
std::vector<std::string> SplitSamplePaths(std::string_view name);

/// Ends the test as skipped, with the reason, when a sample is not there.
#define IOFLUX_SAMPLE_OR_SKIP(variable, name)    \
  const std::string variable = SamplePath(name); \
  if (variable.empty()) GTEST_SKIP() << "no sample " << (name) << " (set IOFLUX_SAMPLES)"

}  // namespace ioflux
