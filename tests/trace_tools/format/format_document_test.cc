// SPDX-License-Identifier: GPL-2.0-only
//
// docs/format.md says what the code does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <set>

#include "tests/support/temp_dir.h"
#include "tests/trace_tools/format/trace_text.h"
#include "trace_tools/format/trace_writer.h"
#include "trace_tools/format/validation_rule.h"

namespace ioflux {
namespace {

using ::testing::HasSubstr;

const std::string& FormatDocument() {
  static const std::string text =
      ReadFileForTest(std::string(IOFLUX_SOURCE_DIR) + "/docs/format.md");
  return text;
}

TEST(FormatDocument, HasTheRuleTable) {
  std::size_t at = 0;
  for (const RuleInfo& rule : AllRules()) {
    const std::string_view severity = rule.severity == Severity::kError ? "error"
                                      : rule.error_under_strict         ? "strict"
                                                                        : "warning";
    const std::string row =
        fmt::format("| {} | {} | `{}` | {} |\n", rule.id, severity, rule.field, rule.summary);
    const std::size_t found = FormatDocument().find(row);
    ASSERT_NE(found, std::string::npos) << row;
    EXPECT_GT(found, at) << rule.id << " is not in the order of rules.def";
    at = found;
  }
}

TEST(FormatDocument, HasACanonicalExampleOfEveryKind) {
  std::set<OpKind> kinds;
  for (const std::string& line : LinesOf(FormatDocument())) {
    if (!line.starts_with("{\"t\":")) continue;
    const ReadTrace trace = ReadOpLine(line + "\n");
    ASSERT_EQ(trace.ops.size(), 1U) << line << trace.error;
    std::string again;
    AppendOpLine(again, trace.ops[0]);
    EXPECT_EQ(again, line + "\n");
    kinds.insert(trace.ops[0].kind);
  }
  EXPECT_EQ(kinds.size(), static_cast<std::size_t>(kOpKinds));
  EXPECT_FALSE(kinds.contains(OpKind::kUnknown));
}

TEST(FormatDocument, SaysWhatEachKindCarries) {
  for (const std::string_view name : OpKindNames()) {
    const OpKindInfo& info = InfoOf(*OpKindFromName(name));
    const auto mark = [](Presence presence) {
      return presence == Presence::kRequired ? "●" : presence == Presence::kOptional ? "○" : "";
    };
    const bool opens = name == "OPEN";
    const std::string handle = info.handle != Presence::kRequired ? "" : opens ? "● new" : "● open";
    std::string row = fmt::format("| {} |", name);
    for (const std::string& cell :
         {std::string(mark(info.target)), handle, std::string(opens ? "●" : ""),
          std::string(opens ? "○" : ""), std::string(mark(info.offset)),
          std::string(mark(info.length)), std::string(mark(info.returned))}) {
      row += cell.empty() ? " |" : " " + cell + " |";
    }
    EXPECT_THAT(FormatDocument(), HasSubstr(row + "\n"));
  }
}

TEST(FormatDocument, NamesTheLimits) {
  EXPECT_EQ(kMaxLineBytes, 16'777'215U);
  EXPECT_THAT(FormatDocument(), HasSubstr("| content of a line | 16,777,215 bytes |"));
}

}  // namespace
}  // namespace ioflux
