// SPDX-License-Identifier: GPL-2.0-only
//
// Whatever is written is read back as it was, and written again as the same bytes: by the scanner
// and by the JSON parser, for every kind of op and odd texts.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/utf8.h"
#include "tests/trace_tools/format/trace_text.h"
#include "trace_tools/format/trace_writer.h"

namespace ioflux {
namespace {

// Texts that JSON, UTF-8 or a terminal may stumble over.
rc::Gen<std::string> OddText() {
  const auto piece = rc::gen::element<std::string>(
      "a", "data/x.bin", "\"", "\\", "/", "\n", "\r", "\t", "\b", "\f", std::string(1, '\0'),
      "\x1f", "\x7f", "<&>", ",", "}", "{\"t\":1}", "\u00E9", "\u03B1", "\u2028", "\u2029",
      "\uFFFD", "\U0001F600", "\xFF", "\xC3", "\xED\xA0\x80", "\xF0\x9F", "\\ud800");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece),
                      [](const std::vector<std::string>& pieces) {
                        std::string text;
                        for (const std::string& next : pieces) text += next;
                        return text;
                      });
}

// Small, large and extreme.
rc::Gen<std::int64_t> AnyInteger() {
  return rc::gen::oneOf(
      rc::gen::inRange<std::int64_t>(-3, 100), rc::gen::arbitrary<std::int64_t>(),
      rc::gen::element<std::int64_t>(INT64_MIN, INT64_MAX, 0, 999'999'999'999'999'999,
                                     1'000'000'000'000'000'000, 99'999'999, 100'000'000));
}

Op AnyOp() {
  Op op;
  op.t_ns = *AnyInteger();
  op.stream = *AnyInteger();
  op.Put(OpField::kTime);
  op.Put(OpField::kStream);
  const auto maybe = [&op](Op& (Op::*set)(std::int64_t)) {
    if (*rc::gen::arbitrary<bool>()) (op.*set)(*AnyInteger());
  };
  maybe(&Op::SetOpId);
  maybe(&Op::SetGroup);
  maybe(&Op::SetTarget);
  maybe(&Op::SetHandle);
  maybe(&Op::SetOffset);
  maybe(&Op::SetLength);
  maybe(&Op::SetReturned);
  maybe(&Op::SetDuration);
  op.kind = static_cast<OpKind>(*rc::gen::inRange(0, kOpKinds + 1));
  if (op.kind == OpKind::kUnknown) op.kind_text = "?" + *OddText();
  op.mode = *rc::gen::element(OpenMode::kNone, OpenMode::kNone, OpenMode::kRead, OpenMode::kWrite,
                              OpenMode::kReadWrite, OpenMode::kUnknown);
  if (op.mode == OpenMode::kUnknown) op.mode_text = "?" + *OddText();
  if (*rc::gen::inRange(0, 3) == 0)
    op.flags = *rc::gen::container<std::vector<std::string>>(OddText());
  return op;
}

LedgerEntry AnyLedgerEntry() {
  LedgerEntry entry;
  entry.kind = *OddText();
  entry.params = *rc::gen::container<std::map<std::string, std::string>>(OddText(), OddText());
  entry.source_digest = *OddText();
  entry.applied_utc = *OddText();
  entry.note = *OddText();
  return entry;
}

TraceHeader AnyHeader() {
  TraceHeader header;
  header.version = *AnyInteger();
  for (std::string TraceHeader::*text :
       {&TraceHeader::kind, &TraceHeader::profile, &TraceHeader::generated_by,
        &TraceHeader::created_utc, &TraceHeader::time_unit, &TraceHeader::capture_method,
        &TraceHeader::capture_limitations, &TraceHeader::notes}) {
    header.*text = *OddText();
  }
  header.scrubbed = *rc::gen::arbitrary<bool>();
  header.targets.resize(*rc::gen::inRange<std::size_t>(0, 4));
  for (Target& target : header.targets) {
    target = {
        .id = *AnyInteger(), .name = *OddText(), .kind = *OddText(), .size_bytes = *AnyInteger()};
  }
  header.summary = {.num_ops = *AnyInteger(),
                    .num_streams = *AnyInteger(),
                    .num_groups = *AnyInteger(),
                    .total_bytes = *AnyInteger(),
                    .duration_ns = *AnyInteger(),
                    .num_partial_reads = *AnyInteger()};
  header.transformations.resize(*rc::gen::inRange<std::size_t>(0, 3));
  for (LedgerEntry& entry : header.transformations) entry = AnyLedgerEntry();
  return header;
}

std::string TextOf(const TraceHeader& header, const std::vector<Op>& ops) {
  std::string text;
  AppendHeaderLine(text, header);
  for (const Op& op : ops) AppendOpLine(text, op);
  return text;
}

void ExpectSameOp(const Op& read, const Op& written) {
  RC_ASSERT(read.present == written.present);
  RC_ASSERT(read.t_ns == written.t_ns);
  RC_ASSERT(read.op_id == written.op_id);
  RC_ASSERT(read.stream == written.stream);
  RC_ASSERT(read.group == written.group);
  RC_ASSERT(read.target == written.target);
  RC_ASSERT(read.handle == written.handle);
  RC_ASSERT(read.offset == written.offset);
  RC_ASSERT(read.length_bytes == written.length_bytes);
  RC_ASSERT(read.returned_bytes == written.returned_bytes);
  RC_ASSERT(read.duration_ns == written.duration_ns);
  RC_ASSERT(read.kind == written.kind);
  RC_ASSERT(read.mode == written.mode);
  RC_ASSERT(read.kind_text == ReplaceInvalidUtf8(written.kind_text));
  RC_ASSERT(read.mode_text == ReplaceInvalidUtf8(written.mode_text));
  RC_ASSERT(read.flags.size() == written.flags.size());
  for (std::size_t i = 0; i < read.flags.size(); ++i) {
    RC_ASSERT(read.flags[i] == ReplaceInvalidUtf8(written.flags[i]));
  }
}

RC_GTEST_PROP(RoundTrip, OpsAreReadBackAsTheyWere, (bool use_canonical_scanner)) {
  std::vector<Op> ops(*rc::gen::inRange<std::size_t>(1, 6));
  std::generate(ops.begin(), ops.end(), AnyOp);
  const std::string text = TextOf(TraceHeader{}, ops);

  const ReadTrace trace = ReadText(text, {.use_canonical_scanner = use_canonical_scanner});

  RC_ASSERT(trace.error == "");
  RC_ASSERT(trace.ops.size() == ops.size());
  for (std::size_t i = 0; i < ops.size(); ++i) ExpectSameOp(trace.ops[i], ops[i]);
}

RC_GTEST_PROP(RoundTrip, WhatWasReadIsWrittenAsTheSameBytes, (bool use_canonical_scanner)) {
  std::vector<Op> ops(*rc::gen::inRange<std::size_t>(0, 6));
  std::generate(ops.begin(), ops.end(), AnyOp);
  // What cannot be written is a replacement character after the first time.
  const std::string first = TextOf(AnyHeader(), ops);
  const ReadTrace once = ReadText(first, {.use_canonical_scanner = use_canonical_scanner});
  RC_ASSERT(once.error == "");
  const std::string second = TextOf(once.header, once.ops);

  const ReadTrace twice = ReadText(second, {.use_canonical_scanner = use_canonical_scanner});

  RC_ASSERT(twice.error == "");
  RC_ASSERT(TextOf(twice.header, twice.ops) == second);
}

RC_GTEST_PROP(RoundTrip, HeaderIsReadBackAsItWas, ()) {
  const TraceHeader written = AnyHeader();

  const TraceHeader read = ReadText(TextOf(written, {})).header;

  RC_ASSERT(read.version == written.version);
  RC_ASSERT(read.notes == ReplaceInvalidUtf8(written.notes));
  RC_ASSERT(read.scrubbed == written.scrubbed);
  RC_ASSERT(read.summary.num_partial_reads == written.summary.num_partial_reads);
  RC_ASSERT(read.targets.size() == written.targets.size());
  for (std::size_t i = 0; i < read.targets.size(); ++i) {
    RC_ASSERT(read.targets[i].id == written.targets[i].id);
    RC_ASSERT(read.targets[i].name == written.targets[i].name);  // to the byte, thanks to name_raw
    RC_ASSERT(read.targets[i].size_bytes == written.targets[i].size_bytes);
  }
  RC_ASSERT(read.transformations.size() == written.transformations.size());
}

TEST(RoundTrip, OneOpOfEachKindAndOneWithAGroup) {
  std::vector<Op> ops;
  for (int kind = 0; kind < kOpKinds; ++kind) {
    Op op;
    op.kind = static_cast<OpKind>(kind);
    op.t_ns = kind;
    op.SetOpId(kind);
    if (InfoOf(op.kind).target == Presence::kRequired) op.SetTarget(kind);
    if (InfoOf(op.kind).handle == Presence::kRequired) op.SetHandle(kind);
    if (InfoOf(op.kind).offset == Presence::kRequired) op.SetOffset(0);
    if (InfoOf(op.kind).length == Presence::kRequired) op.SetLength(kind * 100);
    if (op.kind == OpKind::kOPEN) op.mode = OpenMode::kRead;
    ops.push_back(op);
  }
  ops.push_back(ops.back());
  ops.back().SetGroup(2);
  const std::string text = TextOf(TraceHeader{}, ops);

  const ReadTrace trace = ReadText(text);

  ASSERT_EQ(trace.ops.size(), 11U);
  EXPECT_EQ(trace.ops.back().group, 2);
  EXPECT_EQ(TextOf(trace.header, trace.ops), text);
}

}  // namespace
}  // namespace ioflux
