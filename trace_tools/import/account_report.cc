// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/account_report.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "base/json_value.h"
#include "base/printable_text.h"
#include "base/utf8.h"

namespace ioflux {
namespace {

constexpr int kReasonWidth = 24;
constexpr int kNoteWidth = 36;
// Calls and failures named on a terminal; the report has all of them.
constexpr std::size_t kMostNamed = 12;
constexpr std::size_t kMostMappings = 3;
constexpr std::size_t kMostPlacesNamed = 5;

using Counts = std::vector<std::pair<std::string_view, std::uint64_t>>;

Counts NotesOf(const ImportAccount& account, NoteKind kind) {
  Counts counts;
  for (std::size_t i = 0; i < kNotes; ++i) {
    const auto note = static_cast<Note>(i);
    if (InfoOf(note).kind != kind || account.note(note) == 0) continue;
    counts.emplace_back(InfoOf(note).text, account.note(note));
  }
  std::ranges::sort(counts);
  return counts;
}

bool IsSkipped(Bucket bucket) {
  return bucket != Bucket::kImported && bucket != Bucket::kStateOnly;
}

Counts SkippedOf(const ImportAccount& account) {
  Counts counts;
  for (std::size_t i = 0; i < kReasons; ++i) {
    const auto reason = static_cast<Reason>(i);
    if (!IsSkipped(InfoOf(reason).bucket) || account.lines(reason) == 0) continue;
    counts.emplace_back(InfoOf(reason).text, account.lines(reason));
  }
  std::ranges::sort(counts);
  return counts;
}

// Every bucket, also an empty one, so that a reader can add them up.
Counts BucketsOf(const ImportAccount& account) {
  Counts counts;
  for (std::size_t b = 0; b < kBuckets; ++b) {
    const auto bucket = static_cast<Bucket>(b);
    counts.emplace_back(InfoOf(bucket).text, account.lines(bucket));
  }
  return counts;
}

// "1 line", "2 lines"
std::string Counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string Joined(const Counts& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, count);
  }
  return text;
}

void AppendList(std::string& text, const Counts& counts, int width) {
  for (const auto& [name, count] : counts) {
    text += fmt::format("  {:<{}} {}\n", name, width, count);
  }
}

// "120 lines: 80 imported, 30 state only, …": the buckets sum to the lines.
std::string BucketsText(const ImportAccount& account) {
  std::string text = Counted(account.total_lines(), "line") + ":";
  const char* separator = " ";
  for (const auto& [name, count] : BucketsOf(account)) {
    std::string words(name);
    std::ranges::replace(words, '_', ' ');
    text += fmt::format("{}{} {}", separator, count, words);
    separator = ", ";
  }
  return text + "\n";
}

// What a replay will lack, said so that it is not overlooked.
std::string WarningsText(const BuiltTrace& trace, const ImportAccount& account) {
  std::string text;
  if (trace.header().summary.num_ops == 0) {
    text += account.total_lines() == 0
                ? "WARNING: the capture is empty, and so is the trace\n"
                : "WARNING: the trace is empty: no line of the capture became an operation\n";
  }
  if (const std::uint64_t files = account.note(Note::kMappedFiles); files > 0) {
    text += fmt::format(
        "WARNING: {} mapped into memory ({}); what was read and written there is NOT in the "
        "trace:\n",
        Counted(files, "data file"), Counted(account.note(Note::kMappedBytes), "byte"));
    std::vector<ImportAccount::Mapping> mappings = account.mappings();
    std::ranges::stable_sort(mappings, std::greater<>(), &ImportAccount::Mapping::bytes);
    for (std::size_t i = 0; i < std::min(mappings.size(), kMostMappings); ++i) {
      text += fmt::format("  {} ({})\n", Printable(mappings[i].target),
                          Counted(mappings[i].bytes, "byte"));
    }
  }
  if (account.lines(Reason::kIoUringUnseen) > 0) {
    text += fmt::format(
        "WARNING: {} submitted; strace does not show what it does, and it is NOT in the trace\n",
        Counted(account.note(Note::kUringRequests), "io_uring request"));
  }
  if (account.lines(Reason::kAioUnseen) > 0) {
    text +=
        fmt::format("WARNING: {}: NOT in the trace, not read yet\n",
                    Counted(account.note(Note::kAioRequests), "asynchronous (io_submit) request"));
  }
  return text;
}

// Calls whose lines are skipped for want of an operation or of knowledge.
std::string UnreadCallsText(const ImportAccount& account) {
  std::vector<std::pair<std::uint64_t, std::string_view>> calls;
  for (const auto& [name, counts] : account.calls()) {
    const std::uint64_t dropped = counts[static_cast<std::size_t>(Bucket::kDropped)];
    if (dropped > 0) calls.emplace_back(dropped, name);
  }
  if (calls.empty()) return {};
  std::ranges::sort(calls, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::string text = "dropped by call:";
  for (std::size_t i = 0; i < std::min(calls.size(), kMostNamed); ++i) {
    text += fmt::format(" {} {}", calls[i].second, calls[i].first);
  }
  if (calls.size() > kMostNamed) text += fmt::format(" and {} more", calls.size() - kMostNamed);
  return text + "\n";
}

// Where the damaged lines are, so that they can be looked at.
std::string PlacesText(const ImportAccount& account) {
  const auto& places = account.places();
  if (places.empty()) return {};
  std::string text = "damaged:";
  for (std::size_t i = 0; i < std::min(places.size(), kMostPlacesNamed); ++i) {
    text += fmt::format("{} {}:{} {}", i == 0 ? "" : ",", Printable(places[i].file), places[i].line,
                        InfoOf(places[i].reason).text);
  }
  const bool more = places.size() > kMostPlacesNamed;
  return text + (more ? ", and more (--report names them)\n" : "\n");
}

JsonValue CountsObject(const Counts& counts) {
  JsonValue object = JsonValue::Object();
  for (const auto& [name, count] : counts) object.Set(name, count);
  return object;
}

JsonValue PairsObject(const std::map<ImportAccount::Pair, std::uint64_t>& pairs) {
  JsonValue object = JsonValue::Object();
  auto at = pairs.begin();
  while (at != pairs.end()) {
    const std::string& outer = at->first.first;
    JsonValue inner = JsonValue::Object();
    for (; at != pairs.end() && at->first.first == outer; ++at) {
      inner.Set(ReplaceInvalidUtf8(at->first.second), at->second);
    }
    object.Set(ReplaceInvalidUtf8(outer), inner);
  }
  return object;
}

JsonValue ReasonsObject(const ImportAccount& account) {
  JsonValue buckets = JsonValue::Object();
  for (std::size_t b = 0; b < kBuckets; ++b) {
    const auto bucket = static_cast<Bucket>(b);
    JsonValue reasons = JsonValue::Object();
    for (std::size_t i = 0; i < kReasons; ++i) {
      const auto reason = static_cast<Reason>(i);
      if (InfoOf(reason).bucket != bucket || account.lines(reason) == 0) continue;
      JsonValue entry = JsonValue::Object();
      entry.Set("lines", account.lines(reason));
      entry.Set("meaning", InfoOf(reason).meaning);
      reasons.Set(InfoOf(reason).text, entry);
    }
    buckets.Set(InfoOf(bucket).text, reasons);
  }
  return buckets;
}

JsonValue CallsObject(const ImportAccount& account) {
  JsonValue calls = JsonValue::Object();
  for (const auto& [name, counts] : account.calls()) {
    JsonValue call = JsonValue::Object();
    for (std::size_t b = 0; b < kBuckets; ++b) {
      if (counts[b] != 0) call.Set(InfoOf(static_cast<Bucket>(b)).text, counts[b]);
    }
    calls.Set(name, call);
  }
  return calls;
}

JsonValue MappingsObject(const ImportAccount& account) {
  JsonValue files = JsonValue::Object();
  for (const ImportAccount::Mapping& mapping : account.mappings()) {
    JsonValue file = JsonValue::Object();
    file.Set("mappings", mapping.mappings);
    file.Set("bytes", mapping.bytes);
    files.Set(ReplaceInvalidUtf8(mapping.target), file);
  }
  return files;
}

JsonValue PlacesArray(const ImportAccount& account) {
  JsonValue places = JsonValue::Array();
  for (const ImportAccount::Place& place : account.places()) {
    JsonValue entry = JsonValue::Object();
    entry.Set("file", ReplaceInvalidUtf8(place.file));
    entry.Set("line", place.line);
    entry.Set("reason", InfoOf(place.reason).text);
    places.Append(entry);
  }
  return places;
}

}  // namespace

std::string NotesText(std::string_view source, const std::vector<std::string>& stream_labels,
                      const ImportAccount& account) {
  std::string text = fmt::format("{} import", source);
  for (std::size_t i = 0; i < stream_labels.size(); ++i) {
    text += fmt::format("{}s{}={}", i == 0 ? "; streams: " : ", ", i, stream_labels[i]);
  }
  const Counts lossy = NotesOf(account, NoteKind::kLossy);
  if (!lossy.empty()) text += "; lossy: " + Joined(lossy);
  const Counts facts = NotesOf(account, NoteKind::kFact);
  if (!facts.empty()) text += "; counts: " + Joined(facts);
  text += fmt::format("; lines: {} ({})", account.total_lines(), Joined(BucketsOf(account)));
  const Counts skipped = SkippedOf(account);
  if (!skipped.empty()) text += "; skipped: " + Joined(skipped);
  return text;
}

std::string SummaryText(std::string_view source, const BuiltTrace& trace,
                        const ImportAccount& account) {
  const TraceSummary& summary = trace.header().summary;
  const auto counted = [](std::int64_t count, std::string_view noun) {
    return Counted(static_cast<std::uint64_t>(count), noun);
  };
  std::string text = fmt::format("{}, {}, {} from {}\n", counted(summary.num_ops, "op"),
                                 counted(summary.num_streams, "stream"),
                                 Counted(trace.header().targets.size(), "target"), source);
  text += BucketsText(account);
  const Counts skipped = SkippedOf(account);
  std::uint64_t total = 0;
  for (const auto& [name, count] : skipped) total += count;
  if (total > 0) text += fmt::format("skipped {}:\n", Counted(total, "line"));
  AppendList(text, skipped, kReasonWidth);
  text += UnreadCallsText(account);
  text += PlacesText(account);
  const Counts lossy = NotesOf(account, NoteKind::kLossy);
  if (!lossy.empty()) text += "lossy (operations with a property that was guessed or lost):\n";
  AppendList(text, lossy, kNoteWidth);
  const Counts facts = NotesOf(account, NoteKind::kFact);
  if (!facts.empty()) text += "also:\n";
  AppendList(text, facts, kNoteWidth);
  if (trace.clamped() > 0) {
    text += fmt::format("clamped {} that came earlier than the one before\n",
                        Counted(trace.clamped(), "operation"));
  }
  text += WarningsText(trace, account);
  text += fmt::format("limitations: {}\n", Printable(trace.header().capture_limitations));
  return text;
}

std::string ReportJson(std::string_view source, const BuiltTrace& trace,
                       const ImportAccount& account) {
  JsonValue report = JsonValue::Object();
  report.Set("source", source);
  report.Set("lines", account.total_lines());
  report.Set("buckets", CountsObject(BucketsOf(account)));
  report.Set("reasons", ReasonsObject(account));
  report.Set("damaged", PlacesArray(account));
  report.Set("lossy", CountsObject(NotesOf(account, NoteKind::kLossy)));
  report.Set("counts", CountsObject(NotesOf(account, NoteKind::kFact)));
  Counts exclusions;
  for (const auto& [pattern, count] : account.exclusions()) exclusions.emplace_back(pattern, count);
  report.Set("excluded", CountsObject(exclusions));
  report.Set("failures", PairsObject(account.failures()));
  report.Set("target_failures", PairsObject(account.target_failures()));
  report.Set("calls", CallsObject(account));
  report.Set("mapped", MappingsObject(account));
  report.Set("clamped", trace.clamped());
  const TraceSummary& summary = trace.header().summary;
  JsonValue made = JsonValue::Object();
  made.Set("ops", summary.num_ops);
  made.Set("streams", summary.num_streams);
  made.Set("targets", static_cast<std::uint64_t>(trace.header().targets.size()));
  made.Set("total_bytes", summary.total_bytes);
  made.Set("duration_ns", summary.duration_ns);
  made.Set("partial_reads", summary.num_partial_reads);
  report.Set("trace", made);
  return report.Dump(/*escape_html=*/false);
}

}  // namespace ioflux
