// SPDX-License-Identifier: GPL-2.0-only
//
// CausalOrder: what operations of different streams of a trace must not overtake.
//
// Within a stream operations are replayed in order anyway. Between streams a replay that is slower
// or faster than the source may read what is not yet written or open what is not yet there. An op
// therefore waits for an op of another stream on the same file that was over in the source when it
// started there, if it is one of these pairs:
//   read after write     READ or GET of bytes that WRITE or PUT last wrote
//   use after create     OPEN, STAT, HEAD, GET, PUT, DELETE of a name that OPEN (create, trunc) or
//                        PUT made or emptied
//   use after delete     the same, of a name that DELETE removed
//   open after close     OPEN of a file that another stream wrote and has closed
//   delete after use     DELETE of a name that was opened or looked up
// What overlapped in the source waits for nothing. Without recorded durations an op counts as over
// when a later time is recorded. Waits follow source time, so they cannot form a circle. What
// follows from the order of streams and other waits is left out.
//
// Threading: pure function, const result. Memory: 16 bytes a wait, 16 a group of waits, and while
// deriving what is known of each file that more than one stream uses and one changes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ioengine/replay/trace_loader.h"

namespace ioflux {

enum class CausalRule : std::uint8_t {
  kReadAfterWrite,
  kUseAfterCreate,
  kUseAfterDelete,
  kOpenAfterClose,
  kDeleteAfterUse,
  kCount,
};
inline constexpr std::size_t kCausalRules = static_cast<std::size_t>(CausalRule::kCount);
/// `read_after_write` and so on, as in results.
std::string_view NameOf(CausalRule rule);

/// So many ops of this stream must be over.
struct CausalNeed {
  std::uint32_t stream = 0;  ///< by its place in LoadedTrace::streams
  std::uint64_t ops = 0;     ///< in a pass
};

/// An op of a stream and the needs it has, needs[first_need] ... [last_need - 1].
struct CausalWait {
  std::uint64_t op = 0;  ///< by its place in the stream
  std::uint32_t first_need = 0;
  std::uint32_t last_need = 0;
};

struct CausalOrder {
  std::vector<CausalNeed> needs;
  std::vector<std::vector<CausalWait>> waits;       ///< by stream, ascending by op
  std::array<std::uint64_t, kCausalRules> pairs{};  ///< of ops that must keep their order
  /// Streams that wait or are waited for: when a host loops over the trace, none of them begins a
  /// pass before all of them have ended the one before.
  std::vector<std::uint32_t> involved;
};

/// `file_of_target` says which targets are the same file: equal numbers, below the number of
/// targets.
CausalOrder DeriveCausalOrder(const LoadedTrace& trace,
                              const std::vector<std::uint32_t>& file_of_target);

}  // namespace ioflux
