// SPDX-License-Identifier: GPL-2.0-only
//
// The whole import of an strace capture from arbitrary bytes: it never crashes, accounts for every
// line exactly once, tells the calls the same story, and what it makes passes the validator.
//
// The first byte chooses the options and how many files the rest is split into.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "trace_tools/format/trace_validator.h"
#include "trace_tools/import/account_report.h"
#include "trace_tools/import/strace/import_strace.h"

namespace ioflux {
namespace {

void Check(bool condition) {
  if (!condition) std::abort();
}

std::uint64_t LinesOf(std::string_view text) {
  std::uint64_t lines = 0;
  for (const char c : text) lines += c == '\n';
  return lines + (text.empty() || text.back() == '\n' ? 0 : 1);
}

void ImportBytes(std::uint8_t choice, std::string_view text) {
  ModelOptions options;
  options.strict = (choice & 1) != 0;
  options.drop_eof_reads = (choice & 2) != 0;
  options.resolved_names = (choice & 4) != 0;
  if ((choice & 8) != 0) options.start_directory = "/start";
  if ((choice & 16) != 0) options.filter = PathFilter({"/d*", "**/a"}, {"*.so", "/d/?"});

  std::vector<ByteSource> sources;
  std::uint64_t lines = 0;
  const std::size_t parts = (choice & 32) != 0 ? 2 : 1;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t begin = text.size() * i / parts;
    const std::size_t end = text.size() * (i + 1) / parts;
    const std::string_view part = text.substr(begin, end - begin);
    // What begins like compressed data is read as such.
    if (part.starts_with("\x1f\x8b") || part.starts_with("\x28\xb5\x2f\xfd")) return;
    lines += LinesOf(part);
    sources.push_back(ByteSource::FromBytes(part, "part." + std::to_string(i + 1)));
  }
  const Result<strace::ImportedCapture> imported =
      strace::ImportStrace(std::move(sources), std::move(options));
  if (!imported) {
    Check(imported.error().kind == ErrorKind::kInput);
    Check(imported.error().what.find("breaks the format") == std::string::npos);
    return;
  }
  const ImportAccount& account = imported.value().account;
  Check(account.total_lines() == lines);
  std::uint64_t in_buckets = 0;
  for (std::size_t b = 0; b < kBuckets; ++b) in_buckets += account.lines(static_cast<Bucket>(b));
  Check(in_buckets == lines);
  CallCounts by_call{};
  for (const auto& [name, counts] : account.calls()) {
    for (std::size_t b = 0; b < kBuckets; ++b) by_call[b] += counts[b];
  }
  for (std::size_t b = 0; b < kBuckets; ++b) {
    Check(by_call[b] <= account.lines(static_cast<Bucket>(b)));
  }
  Check(by_call[static_cast<std::size_t>(Bucket::kImported)] == account.lines(Bucket::kImported));

  StringSink sink;
  Check(imported.value().trace.Write(sink).ok());
  const Result<ValidationReport> report = ValidateBytes(sink.text(), "imported", {});
  Check(report.ok() && report.value().valid());
  Check(!SummaryText("strace", imported.value().trace, account).empty());
  Check(!ReportJson("strace", imported.value().trace, account).empty());
}

}  // namespace
}  // namespace ioflux

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  ioflux::ImportBytes(data[0], std::string_view(reinterpret_cast<const char*>(data) + 1, size - 1));
  return 0;
}
