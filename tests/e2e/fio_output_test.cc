// SPDX-License-Identifier: GPL-2.0-only
//
// What fio says of a run is the second count of it: without it no run is a clean success.
#include <gtest/gtest.h>

#include <ostream>

#include "tests/e2e/replay_fixture.h"

namespace ioflux {
namespace {

struct Damage {
  const char* name;
  const char* command;  ///< what is done to $json after fio has ended
  const char* reason;
};

void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.name; }

class FioOutput : public ReplayFixture {
 protected:
  /// A fio whose JSON is damaged the moment it has ended well.
  void MakeFio(const std::string& damage) {
    dir_.Write("other-fio",
               "#!/bin/sh\nfor word; do case $word in --output=*) json=${word#--output=};; esac; "
               "done\nfio \"$@\" || exit\n" +
                   damage + "\n");
    MustRun("chmod +x other-fio");
  }
};

class DamagedFioOutput : public FioOutput, public testing::WithParamInterface<Damage> {};

TEST_P(DamagedFioOutput, IsNoCleanSuccessAndTheReportSaysWhy) {
  MakeTrainingTrace();
  MakeFio(GetParam().command);

  const CommandResult run = Shell("ioflux run --trace training.ioflux --fio ./other-fio -o r.json");

  EXPECT_EQ(run.exit_code, 1) << run.err;
  const std::string words = std::string("COULD NOT BE COMPARED: ") + GetParam().reason;
  EXPECT_NE(run.err.find("ioflux: fio " + words), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("DISAGREES"), std::string::npos) << run.err;
  const JsonValue result = LoadJson("r.json");
  EXPECT_TRUE(result.GetBool("complete").value()) << "the engine's own figures are kept";
  const CommandResult report = MustRun("ioflux report r.json");
  EXPECT_NE(report.out.find("fio " + words), std::string::npos) << report.out;
}

TEST_F(FioOutput, OfOtherCountsDisagreesWhichIsNoCleanSuccessEither) {
  MakeTrainingTrace();
  MakeFio(":");
  MustRun("ioflux run --trace training.ioflux --fio ./other-fio -o r.json");
  MakeFio("sed -i '0,/\"total_ios\" : [1-9][0-9]*/s//\"total_ios\" : 1/' \"$json\"");
  const CommandResult run = Shell("ioflux run --trace training.ioflux --fio ./other-fio -o r.json");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_NE(run.err.find("ioflux: fio DISAGREES: reads: "), std::string::npos) << run.err;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, DamagedFioOutput,
    testing::Values(
        Damage{"CutShort", "truncate -s 700 \"$json\"", "fio's JSON document is cut short"},
        Damage{"Empty", ": >\"$json\"", "fio wrote nothing"},
        Damage{"Missing", "rm \"$json\"", "fio's output cannot be read"},
        Damage{"Text", "echo hello >\"$json\"", "there is no JSON document"},
        Damage{"Foreign", "echo '{}' >\"$json\"", "this JSON document is not fio's"},
        Damage{"Garbled", "sed -i 's/\"total_ios\" : [0-9]*/\"total_ios\" : \"?\"/' \"$json\"",
               "jobs[0]."}),
    [](const auto& damage) { return std::string(damage.param.name); });

}  // namespace
}  // namespace ioflux
