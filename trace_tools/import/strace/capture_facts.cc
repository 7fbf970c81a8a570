// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/strace/capture_facts.h"

#include "trace_tools/import/account_report.h"

namespace ioflux::strace {
namespace {

constexpr std::string_view kLimitations =
    "System calls as strace shows them. File data that a program reads or writes through mmap (by "
    "page faults), through io_uring or through libaio is not here; the notes count what was mapped "
    "and submitted. Buffered stdio appears as the reads and writes libc makes of it. Sockets, "
    "pipes, "
    "devices and directories are left out, and /proc, /sys and /dev unless asked for. Descriptors "
    "are followed through dup, fork, threads and exec; one that was opened before the capture is "
    "known only if strace names it (-y), and its file position only after a seek (lossy notes say "
    "where it was assumed). READ keeps the requested (len) and the received (ret) count, reads at "
    "the "
    "end of a file included; WRITE keeps what landed, so a short write replays as a smaller whole "
    "one. Every operation is positional: lseek and the sharing of file positions are resolved here "
    "and not repeated, and an O_APPEND write stands where the file ended as far as the capture "
    "tells. Copies inside the kernel become a READ and a WRITE. Renames, removals, truncations and "
    "failed calls are counted, not replayed. A file that several threads use has one OPEN per "
    "stream, and a replay keeps the order between streams only with --order causal, so a trace in "
    "which one stream reads what another makes needs that. dur is what strace -T measured. ptrace "
    "stops the program "
    "twice per call: this overhead slows it, often 10 to 100 times, and distorts its timeline, so "
    "prefer asap pacing, or compare dur, before trusting timeline or scaled pacing.";

}  // namespace

TraceHeader HeaderOf(const SourceModel& model) {
  TraceHeader header;
  header.kind = "imported";
  header.generated_by = "ioflux-import 0.1.0 / strace";
  header.capture_method = "import:strace";
  header.capture_limitations = kLimitations;
  header.notes = NotesText("strace", model.builder.stream_labels(), model.account);
  return header;
}

}  // namespace ioflux::strace
