// SPDX-License-Identifier: GPL-2.0-only
#include "base/byte_sink.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace ioflux {

Result<void> DescriptorSink::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno == EAGAIN) {  // a terminal or pipe that another program made non-blocking
      pollfd ready = {.fd = descriptor_, .events = POLLOUT, .revents = 0};
      poll(&ready, 1, -1);
      continue;
    }
    return SystemError("cannot write", errno, {.path = name_});
  }
  return {};
}

}  // namespace ioflux
