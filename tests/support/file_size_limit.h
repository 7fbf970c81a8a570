// SPDX-License-Identifier: GPL-2.0-only
//
// FileSizeLimit: while it lives, no file of this process may grow beyond so many bytes; a write
// that would fails with EFBIG, like one to a full disk.
//
// Threading: the limit is the whole process's; one at a time.
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace ioflux {

class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

}  // namespace ioflux
