// SPDX-License-Identifier: GPL-2.0-only
//
// What to think of a result: is it valid, what must a reader know beside its numbers, was it
// confined, does fio agree. Sentences for people, the same in every output format. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "analysis/cross_check.h"
#include "analysis/run_result.h"

namespace ioflux {

/// Why the numbers must not be used: they contradict each other, and only that; else failed
/// operations, then latencies off the scale. Empty = valid. The one definition of an invalid run.
std::vector<std::string> InvalidReasons(const RunResult& result);

/// What to do about failures that may come from streams running past each other; "" when none do.
std::string OrderHint(const RunResult& result);

/// What a reader must know beside the numbers, most serious first.
std::vector<std::string> Warnings(const RunResult& result);

/// "  io: uring" for a setting that the run recorded, "" for one that it did not.
std::string SettingWords(const RunResult& result, const std::string& option);

/// "confined to /srv/replay", "UNCONFINED: …"
std::string ConfinementWords(const RunPlan& plan);

/// What fio says: "agrees: 516 reads, 128.00 MiB", "DISAGREES: …" or "COULD NOT BE COMPARED: …"
std::string CrossCheckWords(const CrossCheck& check);

/// Latency samples beyond 2^34 ns, of one kind of operation.
std::int64_t OverflowCount(const RunResult& result, const std::string& op_type);

}  // namespace ioflux
