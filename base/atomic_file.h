// SPDX-License-Identifier: GPL-2.0-only
//
// AtomicFile: a file that appears under its name whole, or not at all.
//
// Bytes go (buffered, 1 MiB) to a file without a name in the same directory, so that a program that
// is killed leaves nothing; where a file system has no such files, to `.NAME.tmp-XXXXXX`. Commit()
// flushes, fsyncs, gives it that name, renames it over NAME and fsyncs the directory; the mode is
// that of the file that is replaced, for a new one 0644 less the umask. Without Commit() whatever
// stood under NAME is untouched, and nothing else is left.
//
// A symbolic link is written through. A character device (/dev/null, a terminal) and a descriptor
// that is open already (/dev/stdout, /dev/fd/3) are written in place. Any other pipe, socket or
// device is refused: opening one may wait for ever, and replacing it is never what is meant.
//
// Threading: one thread at a time. Errors are kIo and name the final path.
#pragma once

#include <memory>
#include <string>

#include "base/byte_sink.h"
#include "base/result.h"

namespace ioflux {

class AtomicFile final : public ByteSink {
 public:
  static Result<AtomicFile> Create(const std::string& path);

  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) noexcept;
  ~AtomicFile() override;

  Result<void> Write(std::string_view bytes) override;

  /// Once, last. After a failed Write it fails in the same way.
  Result<void> Commit();

 private:
  struct State;
  explicit AtomicFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// What Create would refuse by the kind of file that stands under `path`; for commands that work
/// long before they write.
Result<void> CheckOutputKind(const std::string& path);

/// Create, Write, Commit in one step.
Result<void> WriteFileAtomically(const std::string& path, std::string_view bytes);

/// `-` is standard output (not atomic), anything else WriteFileAtomically.
Result<void> WriteOutput(const std::string& path_or_dash, std::string_view bytes);

}  // namespace ioflux
