// SPDX-License-Identifier: GPL-2.0-only
//
// ImportAccount: what became of every line (or event) of a source.
//
// A line is counted exactly once, under one reason, and a reason belongs to one bucket; so the
// buckets always sum to the number of lines. Beside them are notes (what was guessed or lost, and
// counts that reconcile the trace with its source), failures by call and error, and exclusions by
// pattern. Rendering is account_report.h's.
//
// Threading: one thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ioflux {

enum class Bucket : std::uint8_t {
#define IOFLUX_BUCKET(name, text, meaning) k##name,
#include "trace_tools/import/account_bucket.def"
#undef IOFLUX_BUCKET
  kCount,
};

enum class Reason : std::uint8_t {
#define IOFLUX_REASON(name, bucket, text, meaning) k##name,
#include "trace_tools/import/account_reason.def"
#undef IOFLUX_REASON
  kCount,
};

enum class Note : std::uint8_t {
#define IOFLUX_NOTE(name, kind, text, meaning) k##name,
#include "trace_tools/import/import_note.def"
#undef IOFLUX_NOTE
  kCount,
};
enum class NoteKind : std::uint8_t { kLossy, kFact };

inline constexpr std::size_t kBuckets = static_cast<std::size_t>(Bucket::kCount);
inline constexpr std::size_t kReasons = static_cast<std::size_t>(Reason::kCount);
inline constexpr std::size_t kNotes = static_cast<std::size_t>(Note::kCount);

struct BucketInfo {
  std::string_view text, meaning;
};
struct ReasonInfo {
  Bucket bucket;
  std::string_view text, meaning;
};
struct NoteInfo {
  NoteKind kind;
  std::string_view text, meaning;
};
const BucketInfo& InfoOf(Bucket bucket);
const ReasonInfo& InfoOf(Reason reason);
const NoteInfo& InfoOf(Note note);

/// Whether lines under `reason` are damaged, so that their places are worth telling.
bool IsDamage(Reason reason);

/// Lines of one call name, per bucket.
using CallCounts = std::array<std::uint64_t, kBuckets>;

class ImportAccount {
 public:
  void CountLines(Reason reason, std::uint64_t lines) { lines_[Index(reason)] += lines; }

  /// Lines that were counted under `from` turn out to belong under `to`.
  void MoveLines(Reason from, Reason to, std::uint64_t lines);

  void Add(Note note, std::uint64_t count = 1) { notes_[Index(note)] += count; }

  void CountFailure(std::string_view call, std::string_view error);
  /// A failed call on a file; `target` is its name.
  void CountTargetFailure(std::string_view target, std::string_view error);
  /// A file of which `bytes` were mapped as data.
  void CountMapping(std::string_view target, std::uint64_t mappings, std::uint64_t bytes);
  void CountExclusion(std::string_view pattern, std::uint64_t lines);
  void CountCall(std::string_view call, const CallCounts& counts);
  /// Lines counted under `reason` begin there. The first kMostPlaces of each reason are kept.
  void AddPlace(Reason reason, std::string_view file, std::uint64_t line);

  std::uint64_t lines(Reason reason) const { return lines_[Index(reason)]; }
  std::uint64_t lines(Bucket bucket) const;
  std::uint64_t total_lines() const;
  std::uint64_t note(Note note) const { return notes_[Index(note)]; }

  using Pair = std::pair<std::string, std::string>;
  const std::map<Pair, std::uint64_t>& failures() const { return failures_; }
  const std::map<Pair, std::uint64_t>& target_failures() const { return target_failures_; }
  const std::map<std::string, std::uint64_t, std::less<>>& exclusions() const {
    return exclusions_;
  }
  const std::map<std::string, CallCounts, std::less<>>& calls() const { return calls_; }
  struct Mapping {
    std::string target;
    std::uint64_t mappings, bytes;
  };
  const std::vector<Mapping>& mappings() const { return mappings_; }
  static constexpr std::size_t kMostPlaces = 20;
  struct Place {
    Reason reason;
    std::string file;
    std::uint64_t line;
  };
  const std::vector<Place>& places() const { return places_; }

 private:
  template <typename Enum>
  static std::size_t Index(Enum value) {
    return static_cast<std::size_t>(value);
  }

  std::array<std::uint64_t, kReasons> lines_{};
  std::array<std::uint64_t, kNotes> notes_{};
  std::map<Pair, std::uint64_t> failures_;         // (call, error)
  std::map<Pair, std::uint64_t> target_failures_;  // (target, error)
  std::map<std::string, std::uint64_t, std::less<>> exclusions_;
  std::map<std::string, CallCounts, std::less<>> calls_;
  std::vector<Mapping> mappings_;
  std::vector<Place> places_;
  std::array<std::size_t, kReasons> places_kept_{};
};

}  // namespace ioflux
