// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/cache_state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/size_text.h"
#include "base/stopping.h"

namespace ioflux {
namespace {

constexpr std::int64_t kReadBytes = 1 << 20;
/// Files opened by all processes together at the end of a run; some 0.1 s of work.
constexpr std::size_t kMostEndLooks = 1 << 14;

std::string ErrnoText(int error) {
  const char* text = strerrordesc_np(error);
  return text != nullptr ? text : "error " + std::to_string(error);
}

std::string Files(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " file" : " files");
}

std::string Size(std::int64_t bytes) { return FormatSizeHuman(static_cast<std::uint64_t>(bytes)); }

/// A number of targets that something could not be done to, and why at the first of them.
struct Trouble {
  std::int64_t targets = 0;
  std::string first;

  void Note(const BackendTarget& target, int error) {
    if (targets++ == 0) first = target.name + ": " + ErrnoText(error);
  }
};

/// One walk over the targets, each opened once.
class Sweep {
 public:
  Sweep(const RunTargets& where, CacheState& state) : where_(where), state_(state) {}

  /// Counts, does what the mode asks for, and counts again.
  Result<void> Establish(const std::function<bool()>& stopping) {
    acts_ = true;
    stopping_ = &stopping;
    return Walk();
  }

  /// Only finds out which file systems the targets are on.
  void LookAtFolders() {
    std::unordered_set<std::string> folders;
    for (const BackendTarget& target : where_.targets) {
      std::string folder = FolderOf(target.path);
      if (folders.contains(folder)) continue;
      VisitFolder(folder);
      folders.insert(std::move(folder));
    }
  }

  /// Only counts, into found().
  void Count() { static_cast<void>(Walk()); }

  const PageShare& found() const { return found_; }
  const PageShare& after() const { return after_; }

  /// Why nothing was counted; empty when something was.
  std::string WhyNothing() const {
    if (found_.targets > 0) return "";
    if (in_memory_ > 0) {
      return in_memory_type_ + " keeps its files in memory: there is no cache that could be cold";
    }
    if (unopened_.targets > 0) return "no target can be opened: " + unopened_.first;
    if (uncounted_.targets > 0) return "the kernel does not tell: " + uncounted_.first;
    return "no target was there";
  }

  void Conclude() {
    Limit(unopened_, "cannot be opened");
    Limit(uncounted_, "have pages that this user may not count");
    Limit(unsynced_, "cannot be synced");
    Limit(undropped_, "cannot be dropped from the page cache");
    Limit(unread_, "cannot be read whole");
    if (in_memory_ > 0 && found_.targets > 0) {
      state_.limitations.push_back(Files(in_memory_) + " on " + in_memory_type_ +
                                   " are in memory and nowhere else");
    }
    if (state_.mode == CacheMode::kCold) ConcludeCold();
    if (state_.mode == CacheMode::kWarm) ConcludeWarm();
  }

 private:
  Result<void> Walk() {
    std::unordered_set<std::string_view> paths;
    for (const BackendTarget& target : where_.targets) {
      if (!paths.insert(target.path).second) continue;
      if (Asked()) return StoppedWhile("bringing the page cache into its state");
      Visit(target);
    }
    return {};
  }

  bool Asked() const { return stopping_ != nullptr && (*stopping_)(); }

  void Visit(const BackendTarget& target) {
    const int descriptor = where_.root.Open(target.path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (descriptor == -ENOENT || descriptor == -ENOTDIR) {
      if (acts_) VisitFolder(FolderOf(target.path));
      return;
    }
    if (descriptor < 0) return unopened_.Note(target, -descriptor);
    struct stat status {};
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
      VisitFile(descriptor, target, status.st_size, SystemOf(descriptor, status.st_dev));
    }
    close(descriptor);
  }

  void VisitFile(int descriptor, const BackendTarget& target, std::int64_t size_bytes,
                 const FileSystem& system) {
    if (system.in_memory) {
      ++in_memory_;
      in_memory_type_ = system.type;
      return;
    }
    ResidentPages pages;
    const int error = CountResidentPages(descriptor, size_bytes, state_.method, &pages);
    if (error == 0) Add(found_, target, pages);
    if (error != 0) uncounted_.Note(target, error);
    if (!acts_) return;
    if (state_.mode == CacheMode::kCold) {
      Drop(descriptor, target, size_bytes, error == 0 && pages.clean);
    } else {
      ReadWhole(descriptor, target, size_bytes);
    }
    if (error == 0 && CountResidentPages(descriptor, size_bytes, state_.method, &pages) == 0)
      Add(after_, target, pages);
  }

  void Drop(int descriptor, const BackendTarget& target, std::int64_t size_bytes, bool clean) {
    if (!clean) {
      // Dirty pages cannot be dropped.
      if (fsync(descriptor) == 0) {
        ++synced_;
      } else {
        unsynced_.Note(target, errno);
      }
    }
    if (const int error = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED); error != 0)
      return undropped_.Note(target, error);
    ResidentPages left;
    // Pages on their way into the lists of the page cache are missed at first.
    if (CountResidentPages(descriptor, size_bytes, state_.method, &left) == 0 && left.resident > 0)
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    ++done_;
    done_bytes_ += size_bytes;
  }

  void ReadWhole(int descriptor, const BackendTarget& target, std::int64_t size_bytes) {
    buffer_.resize(static_cast<std::size_t>(kReadBytes));
    std::int64_t offset = 0;
    while (offset < size_bytes && !Asked()) {
      const ssize_t count = pread(descriptor, buffer_.data(), buffer_.size(), offset);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return unread_.Note(target, count < 0 ? errno : EIO);
      offset += count;
    }
    if (offset < size_bytes) return;
    ++done_;
    done_bytes_ += size_bytes;
  }

  static std::string FolderOf(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
  }

  void VisitFolder(const std::string& folder) {
    const int descriptor = where_.root.Open(folder.c_str(), O_PATH | O_DIRECTORY);
    if (descriptor < 0) return;
    struct stat status {};
    if (fstat(descriptor, &status) == 0) SystemOf(descriptor, status.st_dev);
    close(descriptor);
  }

  const FileSystem& SystemOf(int descriptor, std::uint64_t device) {
    for (const FileSystem& system : state_.file_systems) {
      if (system.device == device) return system;
    }
    state_.file_systems.push_back(FileSystemOf(descriptor, device));
    return state_.file_systems.back();
  }

  void Add(PageShare& share, const BackendTarget& target, const ResidentPages& pages) const {
    ++share.targets;
    share.pages += pages.pages;
    share.resident_pages += pages.resident;
    const bool wants_all = state_.mode == CacheMode::kWarm;
    const std::int64_t off = wants_all ? pages.pages - pages.resident : pages.resident;
    const std::int64_t most =
        wants_all ? share.worst_pages - share.worst_resident_pages : share.worst_resident_pages;
    if (off <= most) return;
    share.worst_target = target.name;
    share.worst_pages = pages.pages;
    share.worst_resident_pages = pages.resident;
  }

  void Limit(const Trouble& trouble, std::string_view what) {
    if (trouble.targets == 0) return;
    state_.limitations.push_back(Files(trouble.targets) + " " + std::string(what) + " (" +
                                 trouble.first + ")");
  }

  void ConcludeCold() {
    if (synced_ > 0) state_.actions.push_back("synced " + Files(synced_));
    if (done_ > 0) {
      state_.actions.push_back("dropped " + Files(done_) + " (" + Size(done_bytes_) +
                               ") from the page cache");
    }
    if (after_.resident_pages > 0) {
      state_.limitations.push_back(std::to_string(after_.resident_pages) + " of " +
                                   std::to_string(after_.pages) +
                                   " pages stayed in the page cache, most of them of " +
                                   after_.worst_target + ": mapped or locked by a program");
    }
    if (done_ > 0) {
      state_.limitations.push_back(
          "the page cache alone is cold: caches of devices, controllers and hypervisors are out of "
          "reach, and so are cached names and attributes");
    }
  }

  void ConcludeWarm() {
    state_.primed = done_;
    if (done_ > 0) {
      state_.actions.push_back("read " + Files(done_) + " (" + Size(done_bytes_) +
                               ") into the page cache");
    }
    if (const std::int64_t missing = after_.pages - after_.resident_pages; missing > 0) {
      state_.limitations.push_back(std::to_string(missing) + " of " + std::to_string(after_.pages) +
                                   " pages are not in the page cache, most of them of " +
                                   after_.worst_target + ": memory does not hold them all");
    }
  }

  const RunTargets& where_;
  CacheState& state_;
  const std::function<bool()>* stopping_ = nullptr;
  bool acts_ = false;
  PageShare found_;
  PageShare after_;
  std::int64_t in_memory_ = 0;
  std::string in_memory_type_;
  std::int64_t synced_ = 0;
  std::int64_t done_ = 0;
  std::int64_t done_bytes_ = 0;
  Trouble unopened_;
  Trouble uncounted_;
  Trouble unsynced_;
  Trouble undropped_;
  Trouble unread_;
  std::vector<char> buffer_;
};

}  // namespace

CacheMode CacheModeOf(const ReplaySettings& settings) {
  const std::string& word = settings.text(Setting::kCacheMode);
  if (word == "cold") return CacheMode::kCold;
  return word == "warm" ? CacheMode::kWarm : CacheMode::kNone;
}

Result<CacheState> EstablishCache(CacheMode mode, const RunTargets& where,
                                  const std::function<bool()>& stopping) {
  CacheState state;
  state.mode = mode;
  state.method = BestResidencyMethod();
  if (!where.on_files) {
    state.not_measured = "the back end has no files";
    return state;
  }
  const auto start = std::chrono::steady_clock::now();
  Sweep sweep(where, state);
  if (mode == CacheMode::kNone) {
    sweep.LookAtFolders();
    state.not_measured = "with cache mode none no target is looked at";
    return state;
  }
  IOFLUX_RETURN_IF_ERROR(sweep.Establish(stopping));
  sweep.Conclude();
  state.not_measured = sweep.WhyNothing();
  if (state.not_measured.empty()) {
    state.found = sweep.found();
    state.at_start = sweep.after();
  }
  state.duration_ns = std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
  return state;
}

void MeasureCacheAtEnd(const RunTargets& where, std::size_t processes, CacheState& state) {
  if (!where.on_files || state.mode == CacheMode::kNone) return;
  state.at_end.reset();
  if (processes > 1 && processes * where.targets.size() > kMostEndLooks) {
    state.end_not_measured = "too many processes that each would count " +
                             std::to_string(where.targets.size()) + " targets";
    return;
  }
  Sweep sweep(where, state);
  sweep.Count();
  state.end_not_measured = sweep.WhyNothing();
  if (state.end_not_measured.empty()) state.at_end = sweep.found();
}

}  // namespace ioflux
