// SPDX-License-Identifier: GPL-2.0-only
//
// Error: what went wrong, where, and how to mend it.
//
// Every message a user can see is built from one of these, so that all commands say the same
// kind of thing: one line of fact with its place, one line of advice. An Error never prints and
// never ends the program; `main` does both and picks the exit code from the kind.
//
// Threading: values, no shared state.
#pragma once

#include <cstdint>
#include <string>

namespace ioflux {

/// What sort of failure this is. The exit code of each is in cli/exit_code.h.
enum class ErrorKind : std::uint8_t {
  kUsage,        ///< the command line or a setting is wrong
  kInput,        ///< a file breaks its format
  kIo,           ///< a file named by the user cannot be opened, read or written
  kRefused,      ///< legal and understood, but it would be unsafe or meaningless to go on
  kUnsupported,  ///< legal, but this build or this system cannot do it
  kFailed,       ///< something we started (fio, an operation of the replay) failed
};

/// A place in an input. `line` 0 means the whole file; `item` names a member or setting inside
/// it, such as `plan.mode` or `target_rewrite[2].from`. Everything may be empty.
struct Where {
  std::string path{};
  std::uint64_t line = 0;
  std::string item{};
};

struct Error {
  ErrorKind kind = ErrorKind::kInput;
  std::string
      what{};  ///< a full clause without a full stop: "op 41 closes handle 7, which is not open"
  Where where{};
  std::string mend{};  ///< an instruction, may be empty: "open it first, or import it again"
};

/// Renders `error` as the user sees it: `PATH:LINE (ITEM): WHAT`, then `\n  try: MEND`. Parts that
/// are empty are left out with their punctuation. Each part is one line: control characters are
/// written as `\x1b`, also a line feed of a file's name.
std::string Describe(const Error& error);

/// An Error of kind kIo with the text of `errno_value` (strerror) after `what`.
Error SystemError(const std::string& what, int errno_value, Where where = {},
                  std::string mend = "");

}  // namespace ioflux
