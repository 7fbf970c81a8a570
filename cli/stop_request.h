// SPDX-License-Identifier: GPL-2.0-only
//
// StopRequest: Ctrl-C and its kin counted instead of ending the program, while one exists.
//
// They nest: one inside the life of another listens with it, and counts what that one has counted.
//
// Threading: all in one thread.
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
