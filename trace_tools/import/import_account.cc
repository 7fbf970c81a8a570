// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/import_account.h"

#include <numeric>

namespace ioflux {
namespace {

constexpr std::array<BucketInfo, kBuckets> kBucketInfos = {{
#define IOFLUX_BUCKET(name, text, meaning) {text, meaning},
#include "trace_tools/import/account_bucket.def"
#undef IOFLUX_BUCKET
}};

constexpr std::array<ReasonInfo, kReasons> kReasonInfos = {{
#define IOFLUX_REASON(name, bucket, text, meaning) {Bucket::k##bucket, text, meaning},
#include "trace_tools/import/account_reason.def"
#undef IOFLUX_REASON
}};

constexpr std::array<NoteInfo, kNotes> kNoteInfos = {{
#define IOFLUX_NOTE(name, kind, text, meaning) {NoteKind::k##kind, text, meaning},
#include "trace_tools/import/import_note.def"
#undef IOFLUX_NOTE
}};

}  // namespace

const BucketInfo& InfoOf(Bucket bucket) { return kBucketInfos[static_cast<std::size_t>(bucket)]; }
const ReasonInfo& InfoOf(Reason reason) { return kReasonInfos[static_cast<std::size_t>(reason)]; }
const NoteInfo& InfoOf(Note note) { return kNoteInfos[static_cast<std::size_t>(note)]; }

bool IsDamage(Reason reason) {
  return InfoOf(reason).bucket == Bucket::kAlien || reason == Reason::kUnparsed ||
         reason == Reason::kTorn;
}

void ImportAccount::MoveLines(Reason from, Reason to, std::uint64_t lines) {
  lines_[Index(from)] -= lines;
  lines_[Index(to)] += lines;
}

void ImportAccount::CountFailure(std::string_view call, std::string_view error) {
  ++failures_[Pair(call, error)];
}

void ImportAccount::CountTargetFailure(std::string_view target, std::string_view error) {
  ++target_failures_[Pair(target, error)];
}

void ImportAccount::CountMapping(std::string_view target, std::uint64_t mappings,
                                 std::uint64_t bytes) {
  mappings_.push_back({std::string(target), mappings, bytes});
}

void ImportAccount::CountExclusion(std::string_view pattern, std::uint64_t lines) {
  const auto found = exclusions_.find(pattern);
  if (found != exclusions_.end()) {
    found->second += lines;
  } else {
    exclusions_.emplace(pattern, lines);
  }
}

void ImportAccount::CountCall(std::string_view call, const CallCounts& counts) {
  CallCounts& sum = calls_[std::string(call)];
  for (std::size_t i = 0; i < kBuckets; ++i) sum[i] += counts[i];
}

void ImportAccount::AddPlace(Reason reason, std::string_view file, std::uint64_t line) {
  if (places_kept_[Index(reason)] == kMostPlaces) return;
  ++places_kept_[Index(reason)];
  places_.push_back({reason, std::string(file), line});
}

std::uint64_t ImportAccount::lines(Bucket bucket) const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kReasons; ++i) {
    if (kReasonInfos[i].bucket == bucket) sum += lines_[i];
  }
  return sum;
}

std::uint64_t ImportAccount::total_lines() const {
  return std::accumulate(lines_.begin(), lines_.end(), std::uint64_t{0});
}

}  // namespace ioflux
