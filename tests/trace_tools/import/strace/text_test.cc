// SPDX-License-Identifier: GPL-2.0-only
//
// The text of one line: heads, calls, arguments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trace_tools/import/strace/call_text.h"
#include "trace_tools/import/strace/capture_clock.h"
#include "trace_tools/import/strace/capture_lines.h"
#include "trace_tools/import/strace/line_head.h"
#include "trace_tools/import/strace/syscall_table.h"
#include "trace_tools/import/strace/text_value.h"

namespace ioflux::strace {
namespace {

CallText Parsed(std::string_view body) {
  CallText call;
  EXPECT_EQ(ParseCall(body, call), CallForm::kComplete) << body;
  return call;
}

TEST(CallTextLexing, CommasAndBracketsInsideAnythingDoNotSplit) {
  const CallText call = Parsed(
      R"(f("a, b) = 1", {x=[1, 2], y="}"}, 3</p, (q)>, 0x7 /* n, m */, [a]) = 5</r> <0.000001>)");

  EXPECT_EQ(call.arguments.size(), 5u);
  EXPECT_EQ(call.arguments[0], R"("a, b) = 1")");
  EXPECT_EQ(call.arguments[1], R"({x=[1, 2], y="}"})");
  EXPECT_EQ(call.arguments[2], "3</p, (q)>");
  EXPECT_EQ(call.result.value, 5);
  EXPECT_EQ(call.result.shown, "</r>");
  EXPECT_EQ(call.result.duration_ns, 1000);
}

TEST(CallTextLexing, ResultsOfEveryForm) {
  EXPECT_EQ(Parsed("f() = -1 ENOENT (No such file)").result.error, "ENOENT");
  EXPECT_TRUE(Parsed("f() = ?").result.unknown);
  EXPECT_TRUE(Parsed("f() = ? ERESTARTSYS (To be restarted)").result.unknown);
  EXPECT_EQ(Parsed("f() = 0x7f00").result.value, 0x7f00);
  EXPECT_EQ(Parsed("f()         = 3 (INJECTED)").result.value, 3);
  EXPECT_EQ(Parsed("f() = 2 ([{fd=3, revents=POLLIN}])").result.value, 2);
  EXPECT_FALSE(Parsed("f() = what").result.value.has_value());
  CallText call;
  EXPECT_EQ(ParseCall("brk(NULL)", call), CallForm::kTorn);
  EXPECT_EQ(ParseCall("f(1, \"x", call), CallForm::kTorn);
  EXPECT_EQ(ParseCall("f(1) = ", call), CallForm::kTorn);
  EXPECT_EQ(ParseCall("hello world", call), CallForm::kNotACall);
}

TEST(CallTextLexing, ADescriptorsNameMayNest) {
  EXPECT_EQ(ShownBytes("</dev/null<char 1:3>>, 1"), 21u);
  EXPECT_EQ(ShownBytes("<TCP:[127.0.0.1:1->127.0.0.1:2]>, x"), 32u);
  EXPECT_EQ(ShownBytes("<UNIX-STREAM:[1->2, \"/run/a>\"]>"), 31u);
  EXPECT_EQ(ShownBytes("</a->(deleted), 1"), 14u);
  EXPECT_EQ(ShownBytes("<unfinished"), 0u);
  EXPECT_EQ(ShownBytes("<... resuming interrupted read ...>"), 0u);
}

TEST(CallTextLexing, AShiftIsNoName) {
  EXPECT_EQ(Parsed("capset({1<<CAP_CHOWN, 2}, 3) = 0").arguments.size(), 2u);
}

TEST(CallTextLexing, DurationsOfAnyPrecision) {
  EXPECT_EQ(ParseSeconds("0.000065"), 65'000);
  EXPECT_EQ(ParseSeconds("12"), 12'000'000'000);
  EXPECT_EQ(ParseSeconds("0.123456789"), 123'456'789);
  EXPECT_EQ(ParseSeconds("0.1234567899"), 123'456'789);
  EXPECT_FALSE(ParseSeconds("-1").has_value());
  EXPECT_FALSE(ParseSeconds("1.").has_value());
  EXPECT_FALSE(ParseSeconds("").has_value());
  EXPECT_FALSE(ParseSeconds("1.5x").has_value());
}

TEST(CallTextLexing, EveryMicrosecondIsExact) {
  for (std::int64_t us = 0; us < 1'000'000; us += 997) {
    char text[16];
    std::snprintf(text, sizeof text, "0.%06ld", us);
    ASSERT_EQ(ParseSeconds(text), us * 1000);
  }
}

TEST(LineHeads, ATimeIsNoProcessAndAProcessNoTime) {
  EXPECT_EQ(ReadHead("1700000000 close(3) = 0").tid, kNoTid);
  EXPECT_EQ(ReadHead("1700000000 close(3) = 0").time.seconds, 1'700'000'000);
  EXPECT_EQ(ReadHead("170 close(3) = 0").tid, 170);
  EXPECT_EQ(ReadHead("170 close(3) = 0").time.kind, TimeText::Kind::kNone);
  EXPECT_EQ(ReadHead("7 25:00:00 close(3) = 0").time.kind, TimeText::Kind::kNone);
  EXPECT_EQ(ReadHead(" 15.57    0.000209          10        20         2 write").time.kind,
            TimeText::Kind::kNone);
}

TEST(CaptureClocks, ALateLineFromBeforeMidnightDoesNotJump) {
  CaptureClock clock;
  const auto at = [&](std::int64_t hours, std::int64_t minutes, std::int64_t seconds) {
    return clock.Resolve(
               {TimeText::Kind::kTimeOfDay, (hours * 60 + minutes) * 60 + seconds, 0, false}) /
           1'000'000'000;
  };

  EXPECT_EQ(at(9, 0, 0), 32'400);
  EXPECT_EQ(at(23, 59, 59), 86'399) << "half a day and more may pass in silence";
  EXPECT_EQ(at(0, 0, 1), 86'401);
  EXPECT_EQ(at(23, 59, 58), 86'398);
  EXPECT_EQ(at(0, 0, 2), 86'402);
}

TEST(TextValues, NumbersOfEveryForm) {
  EXPECT_EQ(ParseNumber("0x1f"), 31);
  EXPECT_EQ(ParseNumber("0600"), 384);
  EXPECT_EQ(ParseNumber("-1"), -1);
  EXPECT_EQ(ParseNumber("7 /* seven */"), 7);
  EXPECT_EQ(ParseNumber("3</a>"), 3);
  EXPECT_FALSE(ParseNumber("3x").has_value());
  EXPECT_FALSE(ParseNumber("AT_FDCWD").has_value());
  EXPECT_EQ(ParseCount("9223372035781033984"), 9'223'372'035'781'033'984u);
}

TEST(TextValues, StringsOfEveryForm) {
  EXPECT_EQ(ParseString(R"("a\tb\101\x42\0333\e\"\\")"), std::string("a\tbAB\0333\033\"\\"));
  EXPECT_EQ(ParseString(R"("cut"...)"), "cut");
  EXPECT_EQ(ParseString(R"("open)"), "open");
  EXPECT_FALSE(ParseString("NULL").has_value());
  EXPECT_FALSE(ParseString("0x7ffc").has_value());
}

TEST(TextValues, WhatIsShownOfADescriptor) {
  EXPECT_EQ(ParseShownName("</a\\74b\\76>").path, "/a<b>");
  EXPECT_TRUE(ParseShownName("</a>(deleted)").deleted);
  EXPECT_EQ(ParseShownName("</a (deleted)>").path, "/a") << "before strace 5.19";
  EXPECT_EQ(ParseShownName("</dev/null<char 1:3>>").kind, FileKind::kDevice);
  EXPECT_EQ(ParseShownName("</dev/null<char 1:3>>").path, "/dev/null");
  EXPECT_EQ(ParseShownName("<pipe:[7]>").kind, FileKind::kPipe);
  EXPECT_EQ(ParseShownName("<socket:[7]>").kind, FileKind::kSocket);
  EXPECT_EQ(ParseShownName("<UNIX-STREAM:[1->2]>").kind, FileKind::kSocket);
  EXPECT_EQ(ParseShownName("<anon_inode:[eventfd]>").kind, FileKind::kAnonymous);
  EXPECT_EQ(ParseShownName("</memfd:x>(deleted)").kind, FileKind::kAnonymous);
}

TEST(TextValues, APairOfDescriptorsKeepsTheirNames) {
  const std::string text = "[3<pipe:[1]>, 4<pipe:[1]>]";

  const auto pair = ParseDescriptorPair(text);

  ASSERT_TRUE(pair.has_value());
  EXPECT_EQ(pair->first.number, 3);
  EXPECT_EQ(pair->second.shown, "<pipe:[1]>");
}

TEST(TextValues, FieldsInsideStringsAreNone) {
  EXPECT_EQ(FieldOf(R"({a="st_size=9", st_size=7, ...})", "st_size"), "7");
  EXPECT_EQ(FieldOf("{xst_size=9}", "st_size"), "");
}

TEST(SyscallTable, NamesAreUniqueAndFound) {
  for (std::uint16_t i = 0; i < AllSyscalls().size(); ++i) {
    EXPECT_EQ(FindSyscall(AllSyscalls()[i].name), i) << AllSyscalls()[i].name;
  }
  EXPECT_EQ(FindSyscall("no_such_call"), AllSyscalls().size());
}

TEST(FileNames, TheThreadIsTheLastPart) {
  EXPECT_EQ(TidOfFileName("run/x.strace.31134"), 31134);
  EXPECT_EQ(TidOfFileName("x.7.gz"), 7);
  EXPECT_EQ(TidOfFileName("x.strace"), kNoTid);
  EXPECT_EQ(TidOfFileName("x.7a"), kNoTid);
  EXPECT_EQ(TidOfFileName("31134"), kNoTid);
}

}  // namespace
}  // namespace ioflux::strace
