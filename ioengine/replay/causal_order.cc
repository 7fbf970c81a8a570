// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/causal_order.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <queue>
#include <tuple>
#include <unordered_map>

#include "base/saturating_math.h"
#include "ioengine/replay/causal_file.h"

namespace ioflux {
namespace {

/// A larger set of needs is likely that of other ops too.
constexpr std::size_t kSharedNeeds = 64;

/// An open file of a stream.
struct OpenFile {
  std::uint32_t file = 0;
  bool writes = false;
  SourceOp opened;
};

/// One stream on its way through the trace.
struct Walker {
  explicit Walker(const StreamOps& ops) : cursor(ops.ops), open_files(ops.slots) {}

  OpCursor cursor;
  ReplayOp op;
  std::uint64_t place = 0;
  std::vector<OpenFile> open_files;  // by slot
  /// Most ops of each other stream that an earlier op of this one waits for.
  std::unordered_map<std::uint32_t, std::uint64_t> awaited;
};

class Deriver {
 public:
  Deriver(const LoadedTrace& trace, const std::vector<std::uint32_t>& file_of_target)
      : trace_(trace), file_of_target_(file_of_target), files_(file_of_target.size()) {
    order_.waits.resize(trace.streams.size());
    FindFilesThatMatter();
  }

  CausalOrder Run() {
    for (const StreamOps& stream : trace_.streams) walkers_.emplace_back(stream);
    for (std::uint32_t stream = 0; stream < walkers_.size(); ++stream) Step(stream);
    while (!next_.empty()) {
      const std::uint32_t stream = std::get<2>(next_.top());
      next_.pop();
      Visit(stream);
      ++walkers_[stream].place;
      Step(stream);
    }
    FindInvolved();
    return std::move(order_);
  }

 private:
  /// Those that more than one stream uses and one changes; the others can hold up nobody.
  void FindFilesThatMatter() {
    struct Use {
      std::int64_t stream = 0;
      bool used = false, by_many = false, written = false, created = true;
    };
    std::vector<Use> uses(files_.size());
    for (std::size_t target = 0; target < trace_.targets.size(); ++target) {
      const TargetUse& of_target = trace_.targets[target];
      if (!of_target.used) continue;
      Use& use = uses[file_of_target_[target]];
      use.by_many |= of_target.by_many_streams || (use.used && use.stream != of_target.stream);
      use.stream = of_target.stream;
      use.used = true;
      use.written |= of_target.written;
      use.created &= of_target.created_by_trace;
    }
    for (std::size_t file = 0; file < uses.size(); ++file) {
      if (uses[file].by_many && uses[file].written)
        files_[file] = std::make_unique<CausalFile>(!uses[file].created);
    }
  }

  void FindInvolved() {
    std::vector<bool> is_involved(walkers_.size());
    for (const CausalNeed& need : order_.needs) is_involved[need.stream] = true;
    for (std::uint32_t stream = 0; stream < walkers_.size(); ++stream) {
      if (is_involved[stream] || !order_.waits[stream].empty()) order_.involved.push_back(stream);
    }
  }

  void Step(std::uint32_t stream) {
    Walker& walker = walkers_[stream];
    if (walker.cursor.Next(walker.op)) next_.emplace(walker.op.t_ns, walker.op.op_id, stream);
  }

  void Visit(std::uint32_t stream) {
    Walker& walker = walkers_[stream];
    const ReplayOp& op = walker.op;
    const SourceOp here{
        .stream = stream,
        .place = walker.place,
        .start_ns = op.t_ns,
        .end_ns = SaturatingAdd(op.t_ns, std::max<std::int64_t>(op.duration_ns, 0))};
    const bool by_handle = InfoOf(op.kind).handle == Presence::kRequired;
    const bool opens = op.kind == OpKind::kOPEN;
    const std::uint32_t number =
        by_handle && !opens ? walker.open_files[op.slot].file : file_of_target_[op.target];
    if (opens) {
      walker.open_files[op.slot] = {
          .file = number, .writes = (op.open_bits & kOpenWrite) != 0, .opened = here};
    }
    CausalFile* file = files_[number].get();
    if (file == nullptr) return;
    found_.clear();
    Apply(*file, walker, here);
    if (!found_.empty()) KeepWait(walker, here);
  }

  void Apply(CausalFile& file, Walker& walker, const SourceOp& here) {
    const ReplayOp& op = walker.op;
    const CausalFile::Found found = [&](CausalRule rule, const SourceOp& before) {
      if (before.stream != here.stream) ++order_.pairs[static_cast<std::size_t>(rule)];
      found_.push_back({.stream = before.stream, .ops = before.place + 1});
    };
    switch (op.kind) {
      case OpKind::kOPEN:
        return file.Open(here, (op.open_bits & kOpenCreate) != 0,
                         (op.open_bits & kOpenTruncate) != 0, found);
      case OpKind::kREAD:
        return file.Read(here, op.offset, op.expected_bytes, found);
      case OpKind::kWRITE:
        return file.Write(here, op.offset, op.expected_bytes);
      case OpKind::kCLOSE:
        if (walker.open_files[op.slot].writes) file.Close(here, walker.open_files[op.slot].opened);
        return;
      case OpKind::kGET:
        file.Look(here, found);
        return file.Read(here, op.offset, op.expected_bytes, found);
      case OpKind::kPUT:
        return file.Put(here, op.expected_bytes, found);
      case OpKind::kDELETE:
        return file.Delete(here, found);
      case OpKind::kSTAT:
      case OpKind::kHEAD:
        return file.Look(here, found);
      default:
        return;
    }
  }

  void KeepWait(Walker& walker, const SourceOp& here) {
    if (found_.size() > kSharedNeeds) return KeepSharedWait(here);
    // Only what no earlier op of the stream has waited for already.
    std::erase_if(found_, [&](const CausalNeed& need) {
      if (need.stream == here.stream) return true;
      std::uint64_t& awaited = walker.awaited[need.stream];
      if (need.ops <= awaited) return true;
      awaited = need.ops;
      return false;
    });
    if (!found_.empty()) AddWait(here, AddNeeds());
  }

  /// When thousands of streams open what thousands have closed, all of them need the same, which is
  /// then kept once; what a stream needs of itself holds anyway.
  void KeepSharedWait(const SourceOp& here) {
    const auto same = [](const CausalNeed& a, const CausalNeed& b) {
      return a.stream == b.stream && a.ops == b.ops;
    };
    const bool is_shared =
        std::equal(found_.begin(), found_.end(), order_.needs.begin() + shared_.first,
                   order_.needs.begin() + shared_.last, same);
    if (!is_shared) shared_ = AddNeeds();
    AddWait(here, shared_);
  }

  struct NeedRange {
    std::uint32_t first = 0, last = 0;
  };

  NeedRange AddNeeds() {
    const auto first = static_cast<std::uint32_t>(order_.needs.size());
    order_.needs.insert(order_.needs.end(), found_.begin(), found_.end());
    return {first, static_cast<std::uint32_t>(order_.needs.size())};
  }

  void AddWait(const SourceOp& here, NeedRange needs) {
    order_.waits[here.stream].push_back(
        {.op = here.place, .first_need = needs.first, .last_need = needs.last});
  }

  using Next = std::tuple<std::int64_t, std::int64_t, std::uint32_t>;  // t_ns, op id, stream

  const LoadedTrace& trace_;
  const std::vector<std::uint32_t>& file_of_target_;
  std::vector<std::unique_ptr<CausalFile>> files_;  // nullptr: holds up nobody
  std::vector<Walker> walkers_;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next_;
  std::vector<CausalNeed> found_;  // of the op at hand
  NeedRange shared_;               // the last large set of needs
  CausalOrder order_;
};

}  // namespace

std::string_view NameOf(CausalRule rule) {
  constexpr std::array<std::string_view, kCausalRules> kNames = {
      "read_after_write", "use_after_create", "use_after_delete", "open_after_close",
      "delete_after_use"};
  return kNames[static_cast<std::size_t>(rule)];
}

CausalOrder DeriveCausalOrder(const LoadedTrace& trace,
                              const std::vector<std::uint32_t>& file_of_target) {
  return Deriver(trace, file_of_target).Run();
}

}  // namespace ioflux
