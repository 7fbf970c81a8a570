// SPDX-License-Identifier: GPL-2.0-only
#include "tests/trace_tools/import/imported_capture.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <utility>

#include "trace_tools/format/trace_reader.h"
#include "trace_tools/import/strace/import_strace.h"

namespace ioflux {
namespace {

ImportedForTest ReadBack(const strace::ImportedCapture& imported) {
  ImportedForTest result;
  result.account = imported.account;
  result.clamped = imported.trace.clamped();
  StringSink sink;
  EXPECT_TRUE(imported.trace.Write(sink));
  result.bytes = sink.text();
  auto reader = TraceReader::FromBytes(result.bytes, "imported", {});
  if (!reader) {
    ADD_FAILURE() << Describe(reader.error());
    return result;
  }
  result.header = reader.value().header();
  Op op;
  while (true) {
    const Result<bool> more = reader.value().Next(op);
    if (!more) ADD_FAILURE() << Describe(more.error());
    if (!more || !more.value()) break;
    result.ops.push_back(op);
  }
  std::size_t at = result.bytes.find('\n') + 1;
  while (at < result.bytes.size()) {
    const std::size_t end = result.bytes.find('\n', at);
    result.op_lines.push_back(result.bytes.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

ImportedForTest ImportSources(std::vector<ByteSource> sources, ModelOptions options) {
  const auto imported = strace::ImportStrace(std::move(sources), std::move(options));
  if (!imported) {
    ADD_FAILURE() << Describe(imported.error());
    return {};
  }
  return ReadBack(imported.value());
}

}  // namespace

std::vector<Op> ImportedForTest::OpsOf(OpKind kind) const {
  std::vector<Op> found;
  for (const Op& op : ops) {
    if (op.kind == kind) found.push_back(op);
  }
  return found;
}

std::string ImportedForTest::NameOf(const Op& op) const {
  std::int64_t target = op.target;
  if (!op.Has(OpField::kTarget)) {
    for (const Op& open : ops) {
      if (open.kind == OpKind::kOPEN && open.handle == op.handle) target = open.target;
    }
  }
  return header.targets.at(static_cast<std::size_t>(target)).name;
}

Target ImportedForTest::TargetNamed(std::string_view name) const {
  for (const Target& target : header.targets) {
    if (target.name == name) return target;
  }
  ADD_FAILURE() << "no target " << name;
  return {};
}

std::vector<std::string> ImportedForTest::TargetNames() const {
  std::vector<std::string> names;
  for (const Target& target : header.targets) names.push_back(target.name);
  return names;
}

ImportedForTest ImportText(std::string_view text, ModelOptions options) {
  std::vector<ByteSource> sources;
  sources.push_back(ByteSource::FromBytes(text, "capture"));
  return ImportSources(std::move(sources), std::move(options));
}

ImportedForTest ImportTexts(const std::vector<std::pair<std::string, std::string>>& files,
                            ModelOptions options) {
  std::vector<ByteSource> sources;
  for (const auto& [name, content] : files) {
    sources.push_back(ByteSource::FromBytes(content, name));
  }
  return ImportSources(std::move(sources), std::move(options));
}

ImportedForTest ImportFiles(const std::vector<std::string>& paths, ModelOptions options) {
  std::vector<ByteSource> sources;
  for (const std::string& path : paths) {
    auto source = ByteSource::Open(path);
    if (!source) {
      ADD_FAILURE() << Describe(source.error());
      return {};
    }
    sources.push_back(std::move(source).value());
  }
  return ImportSources(std::move(sources), std::move(options));
}

Error ImportError(std::string_view text) {
  std::vector<ByteSource> sources;
  sources.push_back(ByteSource::FromBytes(text, "capture"));
  const auto imported = strace::ImportStrace(std::move(sources), {});
  if (imported) {
    ADD_FAILURE() << "was imported";
    return {};
  }
  return imported.error();
}

std::string SamplePath(std::string_view name) {
  const char* const folder = std::getenv("IOFLUX_SAMPLES");
  const std::filesystem::path samples =
      folder != nullptr ? std::filesystem::path(folder)
                        : std::filesystem::path(IOFLUX_SOURCE_DIR) / ".." / "shared" / "samples";
  const std::filesystem::path path = samples / "strace" / name;
  return std::filesystem::exists(path) ? path.string() : "";
}

std::vector<std::string> SplitSamplePaths(std::string_view name) {
  std::vector<std::string> paths;
  const std::filesystem::path folder = SamplePath("");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (file.starts_with(std::string(name) + ".strace.")) paths.push_back(entry.path());
  }
  return paths;
}

}  // namespace ioflux
