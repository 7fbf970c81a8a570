// SPDX-License-Identifier: GPL-2.0-only
#include "base/sha256.h"

#include <fcntl.h>
#include <gcrypt.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <vector>

namespace ioflux {
namespace {

void InitialiseLibrary() {
  // Once per process, before any other call; a host program (fio with a TLS backend) may have done
  // it already.
  static const bool done = [] {
    if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P) == 0) {
      gcry_check_version(nullptr);
      gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
      gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    }
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace

struct Sha256::State {
  gcry_md_hd_t digest = nullptr;

  State() {
    InitialiseLibrary();
    if (gcry_md_open(&digest, GCRY_MD_SHA256, 0) != 0) throw std::bad_alloc();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { gcry_md_close(digest); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::Update(std::string_view bytes) {
  gcry_md_write(state_->digest, bytes.data(), bytes.size());
}

std::string Sha256::Finish() {
  constexpr char kHex[] = "0123456789abcdef";
  constexpr int kDigestBytes = 32;
  const unsigned char* raw = gcry_md_read(state_->digest, GCRY_MD_SHA256);
  std::string text = "sha256:";
  for (int i = 0; i < kDigestBytes; ++i) {
    text += kHex[raw[i] >> 4];
    text += kHex[raw[i] & 15];
  }
  return text;
}

std::string DigestOfBytes(std::string_view bytes) {
  Sha256 hasher;
  hasher.Update(bytes);
  return hasher.Finish();
}

Result<std::string> DigestOfFile(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return SystemError("cannot open it", errno, {.path = path});
  Sha256 hasher;
  std::vector<char> buffer(std::size_t{1} << 20);
  for (;;) {
    const ssize_t got = read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const Error error = SystemError("cannot read it", errno, {.path = path});
      close(descriptor);
      return error;
    }
    if (got == 0) break;
    hasher.Update({buffer.data(), static_cast<std::size_t>(got)});
  }
  close(descriptor);
  return hasher.Finish();
}

}  // namespace ioflux
