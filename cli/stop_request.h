// SPDX-License-Identifier: GPL-2.0-only
//
// StopRequest: Ctrl-C and SIGTERM counted instead of ending the program, while one exists.
//
// Threading: one at a time in the process.
#pragma once

#include <csignal>

namespace ioflux {

class StopRequest {
 public:
  StopRequest();
  ~StopRequest();  ///< restores what was there
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  /// How often the user asked to stop; signals within a second of a counted one are the same
  /// request.
  int count() const;

 private:
  struct sigaction previous_interrupt_ {};
  struct sigaction previous_terminate_ {};
};

}  // namespace ioflux
