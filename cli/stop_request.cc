// SPDX-License-Identifier: GPL-2.0-only
#include "cli/stop_request.h"

namespace ioflux {
namespace {

volatile std::sig_atomic_t stop_count = 0;

void CountStop(int /*signal*/) { stop_count = stop_count + 1; }

}  // namespace

StopRequest::StopRequest() {
  stop_count = 0;
  struct sigaction action {};
  action.sa_handler = CountStop;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_interrupt_);
  sigaction(SIGTERM, &action, &previous_terminate_);
}

StopRequest::~StopRequest() {
  sigaction(SIGINT, &previous_interrupt_, nullptr);
  sigaction(SIGTERM, &previous_terminate_, nullptr);
}

int StopRequest::count() const { return stop_count; }

}  // namespace ioflux
