// SPDX-License-Identifier: GPL-2.0-only
//
// Backend: what the operations of a replay go to.
//
// One call is one operation of the trace. A backend never retries (EINTR alone excepted), never
// waits for anything but the storage, and never judges a byte count: it says what was moved and
// which errno came back, and the replayer compares that with the trace.
//
// Threading: every call may come from any number of threads at once. Ownership: the replayer owns
// buffers and targets, which outlive the calls. Calls do not allocate on the data path.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ioengine/backend/limitation.h"

namespace ioflux {

/// Moved bytes and errno (0 = success) of one operation.
struct IoOutcome {
  std::int64_t moved_bytes = 0;
  int error = 0;
};

/// A backend's name for an open file; what it means is the backend's business.
using BackendHandle = std::int64_t;
inline constexpr BackendHandle kNoHandle = -1;

struct OpenRequest {
  bool read = false;
  bool write = false;
  bool create = false;
  bool truncate = false;
  bool append = false;
  bool sync = false;
  bool direct = false;
  bool sequential = false;  ///< advice: reads will follow each other
  bool random = false;      ///< advice: they will not
};

/// A target after map and confinement.
struct BackendTarget {
  std::string name;  ///< the rewritten name; seeds the payload and appears in messages
  std::string path;  ///< what the backend opens: below its root if it has one, else like `name`
};

class OpQueue;

class Backend {
 public:
  virtual ~Backend() = default;

  virtual IoOutcome Open(const BackendTarget& target, OpenRequest request,
                         BackendHandle* handle) = 0;
  virtual IoOutcome Read(BackendHandle handle, std::int64_t offset, std::int64_t length_bytes,
                         char* buffer) = 0;
  virtual IoOutcome Write(BackendHandle handle, std::int64_t offset, std::int64_t length_bytes,
                          const char* buffer) = 0;
  virtual IoOutcome Sync(BackendHandle handle) = 0;
  virtual IoOutcome Close(BackendHandle handle) = 0;
  virtual IoOutcome Stat(const BackendTarget& target, std::int64_t* size_bytes) = 0;

  virtual IoOutcome Get(const BackendTarget& target, std::int64_t offset, std::int64_t length_bytes,
                        char* buffer) = 0;
  virtual IoOutcome Put(const BackendTarget& target, std::int64_t length_bytes,
                        const char* buffer) = 0;
  virtual IoOutcome Head(const BackendTarget& target) = 0;
  virtual IoOutcome Delete(const BackendTarget& target) = 0;

  /// For one thread that keeps up to `depth` operations in flight. nullptr: this backend completes
  /// everything at once. kUnsupported where the system refuses; the backend itself works on.
  virtual Result<std::unique_ptr<OpQueue>> MakeQueue(std::uint32_t /*depth*/);

  /// Whether reads put bytes into the buffer at all; if not, the replayer need not have one.
  virtual bool MovesData() const = 0;

  /// Why the OPEN flag word `word` of a trace is not, or not wholly, what happens here; "" when it
  /// is.
  virtual std::string OpenFlagLimitation(std::string_view /*word*/) const { return {}; }

  /// What a reader of the result must know about this backend, one sentence each: before the run
  /// what is known then, after it also what the run has shown. Not to be called while ops run.
  virtual std::vector<Limitation> Limitations() const { return {}; }

  /// Makes the folders above `target` that are missing. Preparation only, never measured.
  virtual Result<void> MakeParents(const BackendTarget& target) = 0;
};

}  // namespace ioflux
