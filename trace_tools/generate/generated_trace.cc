// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/generated_trace.h"

#include <string>

#include "trace_tools/format/trace_reader.h"
#include "trace_tools/format/trace_validator.h"
#include "trace_tools/format/trace_writer.h"

namespace ioflux {

TraceHeader SyntheticHeader(std::string profile, std::string notes) {
  TraceHeader header;
  header.profile = std::move(profile);
  header.generated_by = kGeneratorName;
  header.capture_method = "synthetic";
  header.notes = std::move(notes);
  return header;
}

namespace {

Error Unsound(const std::string& finding) {
  return Error{.kind = ErrorKind::kFailed,
               .what = "the generated trace breaks its format: " + finding,
               .where = {},
               .mend = "report the command line that led here"};
}

}  // namespace

Result<void> WriteGeneratedTrace(GeneratedTrace trace, ByteSink& sink) {
  // The header goes through the reader, as it will for everyone who opens the file.
  std::string header_line;
  AppendHeaderLine(header_line, trace.header);
  IOFLUX_ASSIGN_OR_RETURN(const TraceReader header,
                          TraceReader::FromBytes(header_line, "header", TraceReader::Options{}));
  TraceValidator validator(ValidatorOptions{.strict = true, .max_findings = 1});
  validator.OnHeader(header.header(), header.header_presence());

  TraceWriter writer(sink);
  IOFLUX_RETURN_IF_ERROR(writer.WriteHeader(trace.header));
  Op op;
  for (std::uint64_t line = 2; trace.ops.Next(op); ++line) {
    validator.OnOp(op, line);
    IOFLUX_RETURN_IF_ERROR(writer.WriteOp(op));
  }
  const ValidationReport report = validator.Finish();
  if (!report.findings.empty()) return Unsound(report.findings.front().text);
  return writer.Flush();
}

}  // namespace ioflux
