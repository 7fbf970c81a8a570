// SPDX-License-Identifier: GPL-2.0-only
//
// The checks themselves, on small trees that break one rule each.
#include "tests/layout/layout_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/layout/room.h"

namespace ioflux::layout {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A tree with one file of each room that others may want to include.
SourceTree TreeWith(SourceFile file) {
  return {{{"analysis/gate.h", ""},
           {"base/error.h", ""},
           {"ioengine/backend/backend.h", ""},
           {"ioengine/replay/pacer.h", ""},
           {"ioengine/replay/settings.def", ""},
           {"ioengine/replay_api.h", ""},
           {"trace_tools/format/op.h", ""},
           {"trace_tools/import/descriptor.h", ""},
           std::move(file)}};
}

Findings IncludesOf(const std::string& path, const std::string& target) {
  return CheckIncludes(TreeWith({path, "// x\n#include \"" + target + "\"\n"}));
}

TEST(LayoutIncludes, PointDownOnly) {
  EXPECT_THAT(IncludesOf("trace_tools/format/a.cc", "base/error.h"), IsEmpty());
  EXPECT_THAT(IncludesOf("trace_tools/import/strace/a.cc", "trace_tools/format/op.h"), IsEmpty());
  EXPECT_THAT(IncludesOf("ioengine/replay/a.cc", "ioengine/backend/backend.h"), IsEmpty());
  EXPECT_THAT(IncludesOf("cli/a.cc", "analysis/gate.h"), IsEmpty());

  EXPECT_THAT(IncludesOf("base/a.cc", "trace_tools/format/op.h"),
              ElementsAre("base/a.cc:2: base may not use trace_tools/format/op.h"));
  EXPECT_THAT(IncludesOf("trace_tools/format/a.h", "trace_tools/import/descriptor.h"),
              ElementsAre(HasSubstr("trace_tools/format may not use")));
  EXPECT_THAT(IncludesOf("ioengine/backend/a.cc", "trace_tools/format/op.h"),
              ElementsAre(HasSubstr("ioengine/backend may not use")));
}

TEST(LayoutIncludes, KeepAnalysisAndTheEngineApart) {
  EXPECT_THAT(IncludesOf("analysis/a.cc", "ioengine/replay/pacer.h"),
              ElementsAre(HasSubstr("analysis may not use ioengine/replay/pacer.h")));
  EXPECT_THAT(IncludesOf("analysis/a.cc", "ioengine/replay_api.h"),
              ElementsAre(HasSubstr("analysis may not use")));
  for (const char* path :
       {"ioengine/replay/a.cc", "ioengine/backend/a.cc", "ioengine/fio_plugin.c"}) {
    EXPECT_THAT(IncludesOf(path, "analysis/gate.h"),
                ElementsAre(HasSubstr("may not use analysis/gate.h")));
  }
}

TEST(LayoutIncludes, GiveTheJobWriterTheSettingsOnly) {
  EXPECT_THAT(IncludesOf("job_templates/a.cc", "ioengine/replay/settings.def"), IsEmpty());
  EXPECT_THAT(IncludesOf("job_templates/a.cc", "ioengine/replay/pacer.h"),
              ElementsAre(HasSubstr("job_templates may not use")));
}

TEST(LayoutIncludes, LetThePluginAloneSeeFio) {
  EXPECT_THAT(IncludesOf("ioengine/fio_plugin.c", "fio.h"), IsEmpty());
  EXPECT_THAT(IncludesOf("ioengine/fio_plugin.c", "ioengine/replay_api.h"), IsEmpty());

  EXPECT_THAT(IncludesOf("ioengine/replay/a.cc", "fio.h"),
              ElementsAre(HasSubstr("fio's headers are for")));
  EXPECT_THAT(IncludesOf("ioengine/fio_plugin.c", "ioengine/replay/pacer.h"),
              ElementsAre(HasSubstr("ioengine may not use")));
}

TEST(LayoutIncludes, CountFromTheRoot) {
  EXPECT_THAT(IncludesOf("base/a.cc", "error.h"),
              ElementsAre(HasSubstr("is no file of this tree")));
}

TEST(LayoutRooms, HoldEverySource) {
  EXPECT_THAT(CheckRooms(TreeWith({"base/a.cc", ""})), IsEmpty());
  EXPECT_THAT(CheckRooms(TreeWith({"utils/a.cc", ""})), ElementsAre(HasSubstr("is in no room")));
  EXPECT_EQ(RoomOf("baseline/a.cc"), nullptr);
}

TEST(LayoutLicence, IsSaidInTheFirstFiveLines) {
  const std::string spdx = "SPDX-License-Identifier: GPL-2.0-only\n";
  const std::string script = "#!/bin/sh\n";
  EXPECT_THAT(
      CheckLicenceLines({{{"base/a.cc", "// " + spdx}, {"scripts/a", script + "# " + spdx}}}),
      IsEmpty());
  EXPECT_THAT(CheckLicenceLines({{{"README.md", "text\n"}, {"tests/data/a.c", "x\n"}}}), IsEmpty());

  EXPECT_THAT(CheckLicenceLines({{{"base/a.cc", "\n\n\n\n\n// " + spdx}}}),
              ElementsAre(HasSubstr("no SPDX line")));
  EXPECT_THAT(CheckLicenceLines({{{"scripts/a", script}, {"x/CMakeLists.txt", ""}}}),
              ElementsAre(HasSubstr("scripts/a:1"), HasSubstr("x/CMakeLists.txt:1")));
}

TEST(LayoutMachinePaths, AreNamedNowhere) {
  const std::string folder = std::string("/wo") + "rk/main";
  EXPECT_THAT(CheckMachinePaths({{{"docs/a.md", "in the folder /srv/x\n"}}}), IsEmpty());
  EXPECT_THAT(CheckMachinePaths({{{"docs/a.md", "one\nin " + folder + "\n"}}}),
              ElementsAre(HasSubstr("docs/a.md:2: names")));
}

TEST(LayoutFileSizes, EndAtTheLimit) {
  const auto lines = [](std::size_t n) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i) text += "x\n";
    return text;
  };
  EXPECT_THAT(CheckFileSizes(
                  {{{"base/a.cc", lines(600)}, {"base/a.h", lines(200)}, {"b.def", lines(900)}}}),
              IsEmpty());
  EXPECT_THAT(CheckFileSizes({{{"base/a.cc", lines(601)}, {"base/a.h", lines(201)}}}),
              ElementsAre(HasSubstr("longer than 600"), HasSubstr("longer than 200")));
}

TEST(LayoutSilence, HoldsForLibraries) {
  for (const char* code : {"printf(\"x\");", "  std::cout << 1;", "fprintf(stderr, \"x\");",
                           "std::exit(2);", "exit (2);", "puts(s);", "fmt::print(\"x\");"}) {
    EXPECT_THAT(CheckSilence({{{"base/a.cc", code}}}),
                ElementsAre(HasSubstr("neither prints nor exits")))
        << code;
    EXPECT_THAT(CheckSilence({{{"cli/a.cc", code}}}), IsEmpty()) << code;
  }
}

TEST(LayoutSilence, IsNotBrokenByWordsInTextAndComments) {
  for (const char* code : {"// printf(x)", "/* std::cout\n exit(1) */", "auto s = \"exit(1)\";",
                           "R\"(printf(\"))\";", "std::snprintf(b, n, f);", "_exit(127);",
                           "const int exit_code = 1;", "int n = 1'000; // '\n\"stdout\";"}) {
    EXPECT_THAT(CheckSilence({{{"base/a.cc", code}}}), IsEmpty()) << code;
  }
}

TEST(LayoutSilence, IsCheckedPastALiteral) {
  EXPECT_THAT(CheckSilence({{{"base/a.cc", "f('\"'); g(\"\\\"\");\nprintf(x);\n"}}}),
              ElementsAre(HasSubstr("base/a.cc:2")));
}

}  // namespace
}  // namespace ioflux::layout
