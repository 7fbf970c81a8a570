// SPDX-License-Identifier: GPL-2.0-only
//
// SHA-256 of bytes, in the text form used for trace and file identity: `sha256:` and 64 lower-case
// hex digits. libgcrypt does the work.
//
// Threading: one hasher belongs to one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ioflux {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void Update(std::string_view bytes);

  /// `sha256:<64 hex>` of everything given so far. Call once.
  std::string Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Digest of `bytes`.
std::string DigestOfBytes(std::string_view bytes);

/// Digest of the stored bytes of a file, whatever they are.
Result<std::string> DigestOfFile(const std::string& path);

}  // namespace ioflux
