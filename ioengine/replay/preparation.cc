// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/preparation.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/stopping.h"
#include "trace_tools/format/finding_log.h"

namespace ioflux {
namespace {

constexpr std::int64_t kChunkBytes = 1 << 20;
/// Enough to overlap one target's fsync with the next one's writing.
constexpr std::size_t kThreads = 4;
constexpr std::size_t kShownReady = 3;

Where At(const BackendTarget& target) { return {.path = target.name, .line = 0, .item = {}}; }

Error Stopped() { return StoppedWhile("preparing the targets"); }

class Preparer {
 public:
  Preparer(const PreparationInput& input, const PreparationPlan& plan, Backend& backend,
           const std::function<bool()>& stopping)
      : input_(input), plan_(plan), backend_(backend), stopping_(stopping) {}

  Result<PrepareReport> Run() {
    std::size_t to_make = 0;
    for (const PlannedTarget& planned : plan_.targets) {
      Count(planned);
      to_make += planned.makes_file() ? 1 : 0;
    }
    std::vector<std::thread> others;
    const std::size_t threads = std::min(kThreads, to_make);
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back([this] { Work(); });
    Work();
    for (std::thread& other : others) other.join();
    if (problem_) {
      problem_->what += "; " + ReadyText();
      return *problem_;
    }
    report_.bytes_written = bytes_written_;
    return report_;
  }

 private:
  const BackendTarget& TargetOf(const PlannedTarget& planned) const {
    return input_.where->targets[planned.id];
  }

  void Count(const PlannedTarget& planned) {
    switch (planned.step) {
      case PrepareStep::kUntouched:
        break;
      case PrepareStep::kLeaveToTrace:
        ++report_.left_to_trace;
        report_.left_over += planned.now.exists ? 1 : 0;
        break;
      case PrepareStep::kVerify:
        ++report_.verified;
        break;
      case PrepareStep::kVerifySizeUnknown:
        ++report_.skipped_size_unknown;
        break;
      case PrepareStep::kKeep:
        ++report_.kept;
        break;
      case PrepareStep::kMakeFolder:
        ++report_.created;
        break;
      case PrepareStep::kMake:
      case PrepareStep::kRemake:
        CountMade(planned);
    }
  }

  void CountMade(const PlannedTarget& planned) {
    if (input_.mode == PrepareMode::kMaterializeFromSource) {
      ++report_.copied;
      return;
    }
    ++report_.created;
    if (planned.recorded_bytes == 0)
      ++(planned.read_extent_bytes > 0 ? report_.derived_size_from_ops : report_.created_empty);
  }

  /// Whether a next preparation would find it as it has to be.
  static bool IsToBeReady(const PlannedTarget& planned) {
    return planned.makes_file() || planned.step == PrepareStep::kKeep ||
           planned.step == PrepareStep::kMakeFolder;
  }

  /// Of a preparation that did not come to its end.
  std::string ReadyText() {
    const auto all = std::count_if(plan_.targets.begin(), plan_.targets.end(), IsToBeReady);
    std::string text =
        std::to_string(ready_.size()) + " of " + std::to_string(all) + " target(s) are ready";
    std::sort(ready_.begin(), ready_.end());
    for (std::size_t i = 0; i < std::min(kShownReady, ready_.size()); ++i) {
      text += (i == 0 ? ": " : ", ") + Quoted(TargetOf(plan_.targets[ready_[i]]).name);
    }
    if (ready_.size() > kShownReady) {
      text += " and " + std::to_string(ready_.size() - kShownReady) + " more";
    }
    return text;
  }

  /// Takes one target after the other until none is left or one has failed.
  void Work() {
    std::vector<char> chunk;
    for (std::size_t i = next_++; i < plan_.targets.size() && !failed_; i = next_++) {
      const Result<void> done = stopping_() ? Stopped() : Carry(plan_.targets[i], chunk);
      const std::lock_guard lock(mutex_);
      if (done) {
        if (IsToBeReady(plan_.targets[i])) ready_.push_back(i);
        continue;
      }
      if (!failed_.exchange(true)) problem_ = done.error();
    }
  }

  Result<void> Carry(const PlannedTarget& planned, std::vector<char>& chunk) {
    const BackendTarget& target = TargetOf(planned);
    if (planned.step == PrepareStep::kLeaveToTrace) return backend_.MakeParents(target);
    if (planned.step == PrepareStep::kMakeFolder) {
      return backend_.MakeParents({.name = target.name, .path = target.path + "/."});
    }
    if (!planned.makes_file() || !backend_.MovesData()) return {};
    IOFLUX_RETURN_IF_ERROR(backend_.MakeParents(target));
    return Materialise(planned, chunk);
  }

  Result<void> Materialise(const PlannedTarget& planned, std::vector<char>& chunk) {
    const BackendTarget& target = TargetOf(planned);
    IOFLUX_ASSIGN_OR_RETURN(const TargetContent content, input_.ContentOf(planned.id));
    BackendHandle handle = kNoHandle;
    const IoOutcome opened =
        backend_.Open(target, {.write = true, .create = true, .truncate = true}, &handle);
    if (opened.error != 0)
      return SystemError("cannot create this target", opened.error, At(target));
    Result<void> written = WriteAll(planned, content, handle, chunk);
    const IoOutcome synced = written ? backend_.Sync(handle) : IoOutcome{};
    const IoOutcome closed = backend_.Close(handle);
    if (const int error = synced.error != 0 ? synced.error : closed.error; written && error != 0) {
      written = SystemError("cannot write this target", error, At(target));
    }
    // A part of a file must not pass for a target; one that was there before stays, cut.
    if (!written && !planned.now.exists) backend_.Delete(target);
    return written;
  }

  Result<void> WriteAll(const PlannedTarget& planned, const TargetContent& content,
                        BackendHandle handle, std::vector<char>& chunk) {
    const BackendTarget& target = TargetOf(planned);
    chunk.resize(static_cast<std::size_t>(kChunkBytes));
    for (std::int64_t offset = 0; offset < planned.size_bytes;) {
      if (stopping_()) return Stopped();
      const std::int64_t length_bytes = std::min(kChunkBytes, planned.size_bytes - offset);
      const int error =
          content.Read(offset, {chunk.data(), static_cast<std::size_t>(length_bytes)});
      if (error != 0) {
        return SystemError(
            "cannot read the source of this target at offset " + std::to_string(offset), error,
            At(target));
      }
      const IoOutcome outcome = backend_.Write(handle, offset, length_bytes, chunk.data());
      if (outcome.error != 0 || outcome.moved_bytes == 0) {
        return SystemError("cannot write this target at offset " + std::to_string(offset),
                           outcome.error, At(target),
                           "free space, or map the target to a larger file system");
      }
      offset += outcome.moved_bytes;
      bytes_written_ += outcome.moved_bytes;
    }
    return {};
  }

  const PreparationInput& input_;
  const PreparationPlan& plan_;
  Backend& backend_;
  const std::function<bool()>& stopping_;
  PrepareReport report_;
  std::atomic<std::int64_t> bytes_written_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::vector<std::size_t> ready_;  // indices into the plan
  std::optional<Error> problem_;
};

}  // namespace

Result<PrepareReport> Prepare(const PreparationInput& input, const PreparationPlan& plan,
                              Backend& backend, const std::function<bool()>& stopping) {
  return Preparer(input, plan, backend, stopping).Run();
}

}  // namespace ioflux
