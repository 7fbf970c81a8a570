// SPDX-License-Identifier: GPL-2.0-only
//
// Parts of a result: totals by kind of operation, how the run went over time and over hosts, and
// the fio process that carried it. Passive data; nanoseconds and bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/cross_check.h"

namespace ioflux {

/// What all operations of one kind did.
struct OpTotals {
  std::string op_type;
  std::int64_t count = 0;  ///< executed, failed ones included
  std::int64_t errors = 0;
  std::int64_t short_reads = 0;
  std::int64_t bytes = 0;
  std::int64_t requested_bytes = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("op_type", self.op_type);
    archive.Required("count", self.count);
    archive.Required("errors", self.errors);
    archive.Required("short_reads", self.short_reads);
    archive.Required("bytes", self.bytes);
    archive.Required("requested_bytes", self.requested_bytes);
  }
};

/// Totals at one moment of the run, and what came since the moment before.
struct TimePoint {
  std::int64_t elapsed_ns = 0;
  std::int64_t ops = 0;
  std::int64_t bytes = 0;
  std::int64_t ops_delta = 0;
  std::int64_t bytes_delta = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("elapsed_ns", self.elapsed_ns);
    archive.Required("ops", self.ops);
    archive.Required("bytes", self.bytes);
    archive.Optional("ops_delta", self.ops_delta);
    archive.Optional("bytes_delta", self.bytes_delta);
  }
};

struct CpuTime {
  std::int64_t user_ns = 0;
  std::int64_t sys_ns = 0;
  std::int64_t wall_ns = 0;  ///< equals the duration of the run

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("user_ns", self.user_ns);
    archive.Required("sys_ns", self.sys_ns);
    archive.Required("wall_ns", self.wall_ns);
  }
};

/// One host of a replay over several.
struct HostShare {
  std::string hostname;
  std::int64_t ops_completed = 0;
  std::int64_t bytes_moved = 0;
  CpuTime cpu;
  std::int64_t first_done_ns = 0;  ///< its first stream ended
  std::int64_t last_done_ns = 0;   ///< its last stream ended

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("hostname", self.hostname);
    archive.Required("ops_completed", self.ops_completed);
    archive.Required("bytes_moved", self.bytes_moved);
    archive.Required("cpu", self.cpu);
    archive.Required("first_done_ns", self.first_done_ns);
    archive.Required("last_done_ns", self.last_done_ns);
  }
};

/// What waiting for the slowest host cost.
struct Straggler {
  std::int64_t first_done_ns = 0;
  std::int64_t last_done_ns = 0;
  std::int64_t skew_ns = 0;
  double first_done_ops_per_sec = 0;
  double last_done_ops_per_sec = 0;
  double first_done_gib_per_sec = 0;
  double last_done_gib_per_sec = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("first_done_ns", self.first_done_ns);
    archive.Required("last_done_ns", self.last_done_ns);
    archive.Required("skew_ns", self.skew_ns);
    archive.Required("first_done_ops_per_sec", self.first_done_ops_per_sec);
    archive.Required("last_done_ops_per_sec", self.last_done_ops_per_sec);
    archive.Required("first_done_gib_per_sec", self.first_done_gib_per_sec);
    archive.Required("last_done_gib_per_sec", self.last_done_gib_per_sec);
  }
};

/// The fio process that carried the replay, and what its own counts say.
struct FioRun {
  std::string version;               ///< "fio-3.33"
  std::vector<std::string> command;  ///< argument by argument
  std::int64_t exit_status = 0;      ///< 128 and more: ended by a signal
  std::string job_file;              ///< its text
  std::vector<std::string> job_errors;
  CrossCheck cross_check;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("version", self.version);
    archive.Required("command", self.command);
    archive.Required("exit_status", self.exit_status);
    archive.Required("job_file", self.job_file);
    archive.Optional("job_errors", self.job_errors);
    archive.Required("cross_check", self.cross_check);
  }
};

}  // namespace ioflux
