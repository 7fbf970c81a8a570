// SPDX-License-Identifier: GPL-2.0-only
//
// A real capture, imported, mapped into a sandbox and replayed: what the kernel then sees is
// exactly what the trace says.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <unordered_map>

#include "tests/e2e/replay_fixture.h"
#include "trace_tools/format/trace_reader.h"

namespace ioflux {
namespace {

struct DataOp {
  std::string call;  // pread64, pwrite64 or fsync
  std::string path;
  std::int64_t offset = 0;
  std::int64_t requested_bytes = 0;
  std::int64_t returned = 0;

  bool operator==(const DataOp&) const = default;
  auto operator<=>(const DataOp&) const = default;
};
using Sequence = std::vector<DataOp>;

std::ostream& operator<<(std::ostream& out, const DataOp& op) {
  return out << op.call << " " << op.path << " " << op.offset << "+" << op.requested_bytes << "="
             << op.returned;
}

/// The data operations of each stream that has any, under the mapped names.
std::vector<Sequence> SequencesOfTrace(const std::string& path, const std::string& sandbox) {
  TraceReader reader = TraceReader::Open(path).value();
  std::map<std::int64_t, Sequence> streams;
  std::unordered_map<std::int64_t, std::string> names;
  Op op;
  while (reader.Next(op).value()) {
    if (op.kind == OpKind::kOPEN) {
      names[op.handle] =
          sandbox + reader.header().targets[static_cast<std::size_t>(op.target)].name;
    } else if (op.kind == OpKind::kREAD || op.kind == OpKind::kWRITE) {
      streams[op.stream].push_back({op.kind == OpKind::kREAD ? "pread64" : "pwrite64",
                                    names[op.handle], op.offset, op.length_bytes, op.MovedBytes()});
    } else if (op.kind == OpKind::kFSYNC) {
      streams[op.stream].push_back({"fsync", names[op.handle], 0, 0, 0});
    }
  }
  std::vector<Sequence> sequences;
  for (auto& [stream, sequence] : streams) sequences.push_back(std::move(sequence));
  std::sort(sequences.begin(), sequences.end());
  return sequences;
}

/// The data system calls below `sandbox` of each thread that made any, from `strace -ff -y -s 0`
/// files.
std::vector<Sequence> SequencesOfStrace(const std::string& folder, const std::string& prefix,
                                        const std::string& sandbox) {
  static const std::regex kTransfer(
      R"((pread64|pwrite64)\(\d+<([^>]*)>, ""(?:\.\.\.)?, (\d+), (\d+)\)\s+= (\d+))");
  static const std::regex kSync(R"(fsync\(\d+<([^>]*)>\)\s+= 0)");
  std::vector<Sequence> sequences;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    Sequence sequence;
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      if (line.find("<" + sandbox + "/") == std::string::npos) continue;
      std::smatch match;
      if (std::regex_search(line, match, kTransfer)) {
        sequence.push_back(
            {match[1], match[2], std::stoll(match[4]), std::stoll(match[3]), std::stoll(match[5])});
      } else if (std::regex_search(line, match, kSync)) {
        sequence.push_back({"fsync", match[1], 0, 0, 0});
      } else {
        ADD_FAILURE() << "a data call that is not understood: " << line;
      }
    }
    if (!sequence.empty()) sequences.push_back(std::move(sequence));
  }
  std::sort(sequences.begin(), sequences.end());
  return sequences;
}

class ImportedCapture : public ReplayFixture, public testing::WithParamInterface<const char*> {};

TEST_P(ImportedCapture, ReplaysExactlyItsDataOperations) {
  if (IsSkipped()) return;
  if (Shell("strace -o /dev/null true").exit_code != 0) GTEST_SKIP() << "strace cannot trace here";
  const std::string capture = std::string(IOFLUX_TEST_DATA) + "/e2e/" + GetParam() + ".strace.gz";
  const std::string sandbox = std::filesystem::canonical(dir_.path()).string() + "/sandbox";
  dir_.Write("map.yaml", "target_rewrite:\n  - from: \"/\"\n    to: \"" + sandbox + "/\"\n");
  MustRun("ioflux import strace -o t.ioflux " + capture);
  MustRun("ioflux validate t.ioflux");
  const std::string settings =
      " --trace t.ioflux --engine local --target-map map.yaml --target-root " + sandbox;

  MustRun("ioflux run" + settings + " --prepare materialize-synthetic -o results.json");
  const TraceSummary summary = TraceReader::Open(dir_ / "t.ioflux").value().header().summary;
  const JsonValue result = LoadJson("results.json");
  EXPECT_EQ(result.GetInt("ops_completed").value(), summary.num_ops);
  EXPECT_EQ(result.GetInt("bytes_moved").value(), summary.total_bytes);
  EXPECT_EQ(result.GetInt("errors").value(), 0) << dir_.Read("results.json");
  EXPECT_TRUE(
      result.GetObject("fio").value().GetObject("cross_check").value().GetBool("agrees").value());
  const std::vector<Sequence> expected = SequencesOfTrace(dir_ / "t.ioflux", sandbox);
  std::size_t ops = 0;
  for (const Sequence& sequence : expected) ops += sequence.size();
  EXPECT_GT(ops, 50U);
  for (const std::string mode : {"asap", "think", "timeline", "scaled --speedup 4"}) {
    MustRun("rm -f calls.* side.*");
    MustRun("ioflux jobs" + settings + " --cache-mode none --mode " + mode + " -o job.fio");
    MustRun(
        "strace -ff -y -s 0 -e trace=pread64,pwrite64,fsync -o calls fio --output=/dev/null "
        "job.fio");
    const std::vector<Sequence> seen = SequencesOfStrace(dir_.path(), "calls.", sandbox);
    EXPECT_EQ(seen.size(), expected.size()) << mode;
    for (std::size_t i = 0; i < std::min(seen.size(), expected.size()); ++i)
      EXPECT_EQ(seen[i], expected[i]) << mode;
  }
}

INSTANTIATE_TEST_SUITE_P(Real, ImportedCapture, testing::Values("tar_c", "py_threads"));

}  // namespace
}  // namespace ioflux
