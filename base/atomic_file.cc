// SPDX-License-Identifier: GPL-2.0-only
#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>

namespace ioflux {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

struct PathParts {
  std::string directory;  // with its trailing slash, or empty
  std::string name;
};

PathParts Split(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {"", path};
  return {path.substr(0, slash + 1), path.substr(slash + 1)};
}

std::string RandomSuffix() {
  constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  unsigned char bytes[6] = {};
  if (getrandom(bytes, sizeof bytes, 0) < 0) bytes[0] = static_cast<unsigned char>(getpid());
  std::string suffix;
  for (const unsigned char byte : bytes) suffix += kLetters[byte % 36];
  return suffix;
}

// Opening such a name gives what is open already, so it never waits.
bool NamesOpenDescriptor(const std::string& path) {
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/self/fd/");
}

Error NoFile(const std::string& path, const std::string& kind) {
  return Error{.kind = ErrorKind::kIo,
               .what = "cannot write there: it is " + kind + ", not a file",
               .where = {.path = path, .line = 0, .item = {}},
               .mend = "name a file, or - for standard output"};
}

// `status` is that of what stands under `path`.
Result<void> CheckKind(const std::string& path, const struct stat& status) {
  if (S_ISREG(status.st_mode) || S_ISCHR(status.st_mode)) return {};
  if (S_ISDIR(status.st_mode)) return NoFile(path, "a folder");
  if (S_ISBLK(status.st_mode)) return NoFile(path, "a block device");
  if (NamesOpenDescriptor(path)) return {};
  return NoFile(path, S_ISFIFO(status.st_mode) ? "a pipe" : "a socket");
}

// A link is written through, not replaced. One that points nowhere yet is replaced.
std::string ResolveLink(const std::string& path) {
  char* resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string text = resolved;
  std::free(resolved);
  return text;
}

}  // namespace

struct AtomicFile::State {
  std::string path;            // as the user gave it, for errors
  std::string final_path;      // links resolved
  std::string temporary_path;  // empty: without a name so far, or written in place
  bool in_place = false;       // a device or pipe
  int descriptor = -1;
  std::string buffer;
  std::optional<Error> failure;  // the first one; everything after it fails the same way

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (descriptor >= 0) close(descriptor);
    if (!temporary_path.empty()) unlink(temporary_path.c_str());
  }

  Error Fail(const std::string& what, int errno_value) {
    failure = SystemError(what, errno_value, {.path = path});
    return *failure;
  }

  /// A name for the temporary file that was not taken yet.
  std::string Candidate() const {
    const PathParts parts = Split(final_path);
    // Room for the dot and suffix inside NAME_MAX.
    return parts.directory + "." + parts.name.substr(0, 200) + ".tmp-" + RandomSuffix();
  }

  std::string Directory() const {
    const std::string directory = Split(final_path).directory;
    return directory.empty() ? "." : directory;
  }

  /// Where /proc names the open file.
  std::string DescriptorName() const { return "/proc/self/fd/" + std::to_string(descriptor); }

  /// A file without a name, of which nothing is left when the program is killed. Not every file
  /// system has them, and without /proc none can be named later.
  bool OpenNameless(mode_t mode) {
    descriptor = open(Directory().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (descriptor < 0) return false;
    if (access(DescriptorName().c_str(), F_OK) == 0) return true;
    close(descriptor);
    descriptor = -1;
    return false;
  }

  /// `replaced` is what stands under the name, nothing for a new file.
  Result<void> OpenTemporary(const struct stat* replaced) {
    // Mode 0644 here rather than by chmod later, so that the umask counts. What is replaced may
    // be secret: nobody else reads a byte before the mode is its own.
    const mode_t mode = replaced == nullptr ? 0644 : 0600;
    bool opened = OpenNameless(mode);
    for (int attempt = 0; attempt < 100 && !opened; ++attempt) {
      const std::string candidate = Candidate();
      descriptor = open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
      opened = descriptor >= 0;
      if (opened) temporary_path = candidate;
      if (!opened && errno != EEXIST) break;
    }
    if (!opened) return Fail("cannot create a file in its directory", errno);
    return replaced == nullptr ? Result<void>() : TakeModeOf(*replaced);
  }

  /// Gives a file without a name the one it is renamed from.
  Result<void> GiveName() {
    for (int attempt = 0; attempt < 100 && temporary_path.empty(); ++attempt) {
      const std::string candidate = Candidate();
      if (linkat(AT_FDCWD, DescriptorName().c_str(), AT_FDCWD, candidate.c_str(),
                 AT_SYMLINK_FOLLOW) == 0) {
        temporary_path = candidate;
      } else if (errno != EEXIST) {
        break;
      }
    }
    if (temporary_path.empty()) return Fail("cannot put the finished file in place", errno);
    return {};
  }

  Result<void> TakeModeOf(const struct stat& replaced) {
    if (fchmod(descriptor, replaced.st_mode & 0777) == 0) return {};
    return Fail("cannot keep the mode of the file", errno);
  }

  Result<void> Flush() {
    DescriptorSink sink(descriptor, path);
    Result<void> written = sink.Write(buffer);
    buffer.clear();
    if (!written) failure = written.error();
    return written;
  }

  void SyncDirectory() const {
    const int handle = open(Directory().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0) return;  // best effort: the file itself is already safe
    fsync(handle);
    close(handle);
  }
};

Result<AtomicFile> AtomicFile::Create(const std::string& path) {
  auto state = std::make_unique<State>();
  state->path = path;
  state->final_path = ResolveLink(path);
  struct stat status = {};
  const bool exists = stat(state->final_path.c_str(), &status) == 0;
  if (path.empty()) return state->Fail("the output name is empty", ENOENT);
  if (path.back() == '/') return state->Fail("cannot write a file of this name", EISDIR);
  if (exists) IOFLUX_RETURN_IF_ERROR(CheckKind(path, status));
  if (exists && !S_ISREG(status.st_mode)) {
    state->in_place = true;
    state->descriptor = open(state->final_path.c_str(), O_WRONLY | O_CLOEXEC);
    if (state->descriptor < 0) return state->Fail("cannot open it for writing", errno);
  } else {
    IOFLUX_RETURN_IF_ERROR(state->OpenTemporary(exists ? &status : nullptr));
  }
  return AtomicFile(std::move(state));
}

AtomicFile::AtomicFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
AtomicFile::AtomicFile(AtomicFile&&) noexcept = default;
AtomicFile& AtomicFile::operator=(AtomicFile&&) noexcept = default;
AtomicFile::~AtomicFile() = default;

Result<void> AtomicFile::Write(std::string_view bytes) {
  State& state = *state_;
  if (state.failure) return *state.failure;
  if (state.buffer.size() + bytes.size() < kBufferBytes) {
    state.buffer.append(bytes);
    return {};
  }
  IOFLUX_RETURN_IF_ERROR(state.Flush());
  if (bytes.size() < kBufferBytes) {
    state.buffer.append(bytes);
    return {};
  }
  DescriptorSink sink(state.descriptor, state.path);
  Result<void> written = sink.Write(bytes);
  if (!written) state.failure = written.error();
  return written;
}

Result<void> AtomicFile::Commit() {
  State& state = *state_;
  if (state.failure) return *state.failure;
  IOFLUX_RETURN_IF_ERROR(state.Flush());
  if (!state.in_place) {
    if (fsync(state.descriptor) != 0) return state.Fail("cannot write", errno);
    IOFLUX_RETURN_IF_ERROR(state.GiveName());
  }
  const int closed = close(state.descriptor);
  state.descriptor = -1;
  if (closed != 0) return state.Fail("cannot write", errno);
  if (state.in_place) return {};
  if (rename(state.temporary_path.c_str(), state.final_path.c_str()) != 0) {
    return state.Fail("cannot put the finished file in place", errno);
  }
  state.temporary_path.clear();
  state.SyncDirectory();
  return {};
}

Result<void> CheckOutputKind(const std::string& path) {
  struct stat status = {};
  if (path.empty() || stat(path.c_str(), &status) != 0) return {};
  return CheckKind(path, status);
}

Result<void> WriteFileAtomically(const std::string& path, std::string_view bytes) {
  IOFLUX_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  IOFLUX_RETURN_IF_ERROR(file.Write(bytes));
  return file.Commit();
}

Result<void> WriteOutput(const std::string& path_or_dash, std::string_view bytes) {
  if (path_or_dash == "-") return DescriptorSink(STDOUT_FILENO, "standard output").Write(bytes);
  return WriteFileAtomically(path_or_dash, bytes);
}

}  // namespace ioflux
