// SPDX-License-Identifier: GPL-2.0-only
//
// Any bytes as a trace. The scanner and the JSON parser must give the same ops and the same
// verdict, the validator must live through whatever can be read, and what was read must survive
// being written.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "trace_tools/format/trace_reader.h"
#include "trace_tools/format/trace_validator.h"
#include "trace_tools/format/trace_writer.h"

namespace ioflux {
namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

// Everything a reader gives, as text that can be compared.
struct Reading {
  std::string header;
  std::vector<std::string> ops;
  std::vector<std::uint64_t> lines;
  std::string error;

  bool operator==(const Reading&) const = default;
};

std::string TextOf(const Op& op) {
  std::string text = std::to_string(op.present) + " " + op.kind_text + " " + op.mode_text + " " +
                     std::to_string(static_cast<int>(op.kind)) + " ";
  AppendOpLine(text, op);
  return text;
}

constexpr TraceReader::Options kScanner = {.use_canonical_scanner = true, .buffer_bytes = 4096};
constexpr TraceReader::Options kSmallBuffer = {.use_canonical_scanner = true, .buffer_bytes = 32};
constexpr TraceReader::Options kParser = {.use_canonical_scanner = false, .buffer_bytes = 4096};

Reading ReadAll(std::string_view bytes, TraceReader::Options options) {
  Reading reading;
  Result<TraceReader> opened = TraceReader::FromBytes(bytes, "input", options);
  if (!opened) {
    reading.error = Describe(opened.error());
    return reading;
  }
  AppendHeaderLine(reading.header, opened.value().header());
  Op op;
  for (;;) {
    const Result<bool> more = opened.value().Next(op);
    if (!more) reading.error = Describe(more.error());
    if (!more || !more.value()) return reading;
    reading.ops.push_back(TextOf(op));
    reading.lines.push_back(opened.value().line_number());
  }
}

// The trace as TraceWriter gives it, as far as it can be read.
std::string Rewritten(std::string_view bytes) {
  Result<TraceReader> opened = TraceReader::FromBytes(bytes, "input", kScanner);
  if (!opened) return "";
  std::string text;
  AppendHeaderLine(text, opened.value().header());
  Op op;
  for (;;) {
    const Result<bool> more = opened.value().Next(op);
    if (!more || !more.value()) return text;
    AppendOpLine(text, op);
  }
}

void CheckRoundTrip(std::string_view bytes) {
  const std::string once = Rewritten(bytes);
  if (once.empty()) return;
  const Reading reading = ReadAll(once, kScanner);
  Require(reading.error.empty());
  Require(reading == ReadAll(once, kParser));
  Require(Rewritten(once) == once);
}

Result<ValidationReport> Report(std::string_view bytes, bool strict) {
  IOFLUX_ASSIGN_OR_RETURN(TraceReader reader, TraceReader::FromBytes(bytes, "input", kScanner));
  return ValidateTrace(reader, {.strict = strict, .max_findings = 5});
}

// Strict moves findings from warnings to errors and changes nothing else.
void CheckReport(std::string_view bytes) {
  const Result<ValidationReport> plain = Report(bytes, /*strict=*/false);
  if (!plain) return;
  const Result<ValidationReport> strict = Report(bytes, /*strict=*/true);
  Require(strict.ok());
  Require(strict.value().errors >= plain.value().errors);
  Require(strict.value().errors + strict.value().warnings ==
          plain.value().errors + plain.value().warnings);
}

}  // namespace
}  // namespace ioflux

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const ioflux::Reading reading = ioflux::ReadAll(bytes, ioflux::kScanner);
  ioflux::Require(reading == ioflux::ReadAll(bytes, ioflux::kParser));
  // How much of a damaged compressed file comes out depends on the size of the reads.
  const bool plain =
      ioflux::ByteSource::FromBytes(bytes, "input").compression() == ioflux::Compression::kNone;
  if (plain) ioflux::Require(reading == ioflux::ReadAll(bytes, ioflux::kSmallBuffer));
  ioflux::CheckRoundTrip(bytes);
  ioflux::CheckReport(bytes);
  return 0;
}
