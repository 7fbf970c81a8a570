// SPDX-License-Identifier: GPL-2.0-only
//
// Futexes on words in memory that processes share. Threading: any thread of any process.
#pragma once

#include <atomic>
#include <cstdint>

namespace ioflux {

using FutexWord = std::atomic<std::uint32_t>;
static_assert(sizeof(FutexWord) == 4 && FutexWord::is_always_lock_free,
              "the kernel reads it as a futex");

/// Sleeps while `*word` is `seen`, at most StopQuestion::kAskEveryNs, and only for wakes of `bits`.
void FutexWait(FutexWord* word, std::uint32_t seen, std::uint32_t bits);
void FutexWake(FutexWord* word, std::uint32_t bits);

}  // namespace ioflux
