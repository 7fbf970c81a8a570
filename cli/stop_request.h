// SPDX-License-Identifier: GPL-2.0-only
//
// StopRequest: Ctrl-C and its kin counted instead of ending the program, while one exists.
//
// Threading: one at a time in the process.
#pragma once

#include <array>
#include <csignal>
#include <iterator>

namespace ioflux {

/// What asks a run to end: the user, a supervisor, a terminal that is gone.
inline constexpr int kStopSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

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
  std::array<struct sigaction, std::size(kStopSignals)> previous_{};
};

}  // namespace ioflux
