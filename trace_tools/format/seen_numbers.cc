// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/seen_numbers.h"

#include <algorithm>

namespace ioflux {
namespace {

// A search reads on average half a block.
constexpr std::uint64_t kBlockRuns = 32;

}  // namespace

std::optional<SeenNumbers::Sighting> SeenNumbers::Find(std::int64_t number) {
  if (!any_ || number > run_.last) return std::nullopt;
  if (const std::optional<Sighting> rising = FindRising(number); rising.has_value()) return rising;
  const Bits64* const late = late_.Find(number >> 6);
  if (late == nullptr || (late->bits >> (number & 63) & 1) == 0) return std::nullopt;
  const Line* const line = late_lines_.Find(number);
  return Sighting{.line = line == nullptr ? 0 : line->line};
}

std::optional<SeenNumbers::Sighting> SeenNumbers::AddElsewhere(std::int64_t number,
                                                               std::uint64_t line) {
  if (any_ && number <= run_.last) {
    const std::optional<Sighting> earlier = Find(number);
    if (earlier.has_value()) return earlier;
    late_.At(number >> 6).bits |= std::uint64_t{1} << (number & 63);
    if (late_lines_.size() < kLateLines) late_lines_.At(number).line = line;
    return std::nullopt;
  }
  if (any_) StoreRun();
  any_ = true;
  run_ = {.first = number, .last = number, .first_line = line};
  return std::nullopt;
}

// Code of a run: lines since the run before (times 2, plus 1 when a length follows), numbers since
// the run before, length less 2. The first of a block has its length less 1 only.
void SeenNumbers::StoreRun() {
  const std::uint64_t length_less_1 = Distance(run_.first, run_.last);
  if (stored_runs_ % kBlockRuns == 0) {
    blocks_.push_back(
        {.first = run_.first, .first_line = run_.first_line, .code_at = code_.size()});
    AppendCode(length_less_1);
  } else {
    const std::uint64_t lines = run_.first_line - LineOf(last_stored_, last_stored_.last);
    AppendCode(lines << 1 | (length_less_1 != 0 ? 1 : 0));
    AppendCode(Distance(last_stored_.last, run_.first) - 1);
    if (length_less_1 != 0) AppendCode(length_less_1 - 1);
  }
  ++stored_runs_;
  last_stored_ = run_;
}

std::optional<SeenNumbers::Sighting> SeenNumbers::FindRising(std::int64_t number) const {
  if (number >= run_.first) return Sighting{.line = LineOf(run_, number)};
  const auto behind = std::upper_bound(
      blocks_.begin(), blocks_.end(), number,
      [](std::int64_t wanted, const Block& block) { return wanted < block.first; });
  if (behind == blocks_.begin()) return std::nullopt;
  const auto block = behind - 1;
  const std::uint64_t runs_before =
      static_cast<std::uint64_t>(block - blocks_.begin()) * kBlockRuns;
  std::uint64_t runs_left = std::min(kBlockRuns, stored_runs_ - runs_before) - 1;

  std::uint64_t at = block->code_at;
  Run run = {.first = block->first, .last = 0, .first_line = block->first_line};
  run.last = static_cast<std::int64_t>(static_cast<std::uint64_t>(run.first) + ReadCode(at));
  for (; run.last < number && runs_left != 0; --runs_left) {
    const std::uint64_t lines = ReadCode(at);
    const std::uint64_t first = static_cast<std::uint64_t>(run.last) + ReadCode(at) + 1;
    run.first_line = LineOf(run, run.last) + (lines >> 1);
    run.first = static_cast<std::int64_t>(first);
    const std::uint64_t length_less_1 = (lines & 1) != 0 ? ReadCode(at) + 1 : 0;
    run.last = static_cast<std::int64_t>(first + length_less_1);
  }
  if (number < run.first || number > run.last) return std::nullopt;
  return Sighting{.line = LineOf(run, number)};
}

// Seven bits a byte, the lowest first; the top bit says that more follow.
void SeenNumbers::AppendCode(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) code_.push_back(static_cast<std::uint8_t>(value | 0x80));
  code_.push_back(static_cast<std::uint8_t>(value));
}

std::uint64_t SeenNumbers::ReadCode(std::uint64_t& at) const {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const std::uint8_t byte = code_[at++];
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
}

}  // namespace ioflux
