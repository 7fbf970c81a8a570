// SPDX-License-Identifier: GPL-2.0-only
//
// Imported captures against the programs' own logs of their calls (truth_comparison.h). The
// fixtures in tests/data always run, the other samples where they are at hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trace_tools/import/truth_comparison.h"

namespace ioflux {
namespace {

using ::testing::IsEmpty;

struct TruthCase {
  const char* name;
  std::uint64_t compared;  ///< operations that the log and the capture share
  TruthOptions options{};
};

void PrintTo(const TruthCase& truth_case, std::ostream* out) { *out << truth_case.name; }

std::string NameOfCase(const ::testing::TestParamInfo<TruthCase>& info) { return info.param.name; }

std::string WithoutSuffix(const std::string& path) {
  return path.substr(0, path.size() - std::string(".strace").size());
}

void ExpectTruth(const ImportedForTest& imported, const std::string& truth_path,
                 const TruthCase& wanted) {
  const TruthResult result = CompareWithTruth(imported, truth_path, wanted.options);

  EXPECT_THAT(result.mismatches, IsEmpty());
  EXPECT_EQ(result.compared, wanted.compared);
  EXPECT_LE(result.synthetic_opens, imported.account.note(Note::kSyntheticOpen));
}

class StraceFixtureTruth : public ::testing::TestWithParam<TruthCase> {};

TEST_P(StraceFixtureTruth, AgreesWithTheLogOfTheProgram) {
  const std::string base = std::string(IOFLUX_TEST_DATA) + "/strace/" + GetParam().name;

  ExpectTruth(ImportFiles({base + ".strace"}), base + ".truth.jsonl", GetParam());
}

INSTANTIATE_TEST_SUITE_P(Fixtures, StraceFixtureTruth,
                         ::testing::Values(TruthCase{"basic__f_ttt_T_y", 45},
                                           TruthCase{"fork__f_ttt_T", 19},
                                           TruthCase{"signal__f_tt_T", 8}),
                         NameOfCase);

class StraceSampleTruth : public ::testing::TestWithParam<TruthCase> {};

TEST_P(StraceSampleTruth, AgreesWithTheLogOfTheProgram) {
  const std::string path = SamplePath(std::string(GetParam().name) + ".strace");
  if (path.empty()) GTEST_SKIP() << "no sample " << GetParam().name << " (set IOFLUX_SAMPLES)";

  ExpectTruth(ImportFiles({path}), WithoutSuffix(path) + ".truth.jsonl", GetParam());
}

// The attached and the cut capture hold a part of what the program did; the log holds all of it.
const TruthOptions kCut{.capture_is_cut = true};
const TruthOptions kLate{.capture_is_late = true, .positions_assumed = true};
// A symbolic and a hard link to one file of the program.
const TruthOptions kLinks{.aliases = {{"ln", "plain"}, {"hl", "plain"}}};

INSTANTIATE_TEST_SUITE_P(
    Samples, StraceSampleTruth,
    ::testing::Values(TruthCase{"basic__C_summary", 45}, TruthCase{"basic__f_t", 45},
                      TruthCase{"basic__f_ttt_T", 45}, TruthCase{"basic__f_ttt_T_y", 45},
                      TruthCase{"basic__i_Xverbose", 45}, TruthCase{"basic__locale_ja", 45},
                      TruthCase{"basic__n_v_Xraw", 45}, TruthCase{"basic__r_T", 45},
                      TruthCase{"basic__rw_hexdump", 45}, TruthCase{"basic__ttt_r_T_ms", 45},
                      TruthCase{"basic__z_success", 45}, TruthCase{"copy__f_ttt_T", 19},
                      TruthCase{"copy__f_ttt_T_y", 19}, TruthCase{"fork__f_ttt_T", 19},
                      TruthCase{"fork__f_ttt_T_y", 19}, TruthCase{"fork__stderr_pidprefix", 19},
                      TruthCase{"mmap__f_ttt_T_y", 3}, TruthCase{"names__f_ttt_T_y", 109, kLinks},
                      TruthCase{"names__xx_ttt_T", 109, kLinks}, TruthCase{"signal__f_tt_T", 8},
                      TruthCase{"signal__f_ttt_T_y", 8}, TruthCase{"threads__f_ttt_T_y", 246},
                      TruthCase{"threads__qq_noexit", 246}, TruthCase{"uring__f_ttt_T_y", 3},
                      TruthCase{"aio__f_ttt_T_y", 3}, TruthCase{"killed_tail", 87, kCut},
                      TruthCase{"attach_y", 104, kLate}),
    NameOfCase);

// One file for each thread.
TEST(StraceSplitCaptureTruth, AgreesWithTheLogOfTheProgram) {
  IOFLUX_SAMPLE_OR_SKIP(truth, "threads__ff_ttt_T_y.truth.jsonl");
  ExpectTruth(ImportFiles(SplitSamplePaths("threads__ff_ttt_T_y")), truth,
              {"threads__ff_ttt_T_y", 246});
}

}  // namespace
}  // namespace ioflux
