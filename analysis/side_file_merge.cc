// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/side_file_merge.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

namespace ioflux {
namespace {

/// How bad it is to stop for this reason; the merged run stopped for the worst of its processes.
int Severity(const std::string& stop_reason) {
  if (stop_reason.empty()) return 0;
  if (stop_reason == "runtime") return 1;
  if (stop_reason == "terminated") return 2;
  return 3;
}

std::string FileName(const std::vector<std::string>& names, std::size_t index) {
  return index < names.size() ? names[index] : "side file " + std::to_string(index + 1);
}

/// `settings.mode is "asap" in A but "think" in B`, or empty when they agree.
std::string SettingsDifference(const SideFile& a, const SideFile& b, const std::string& a_name,
                               const std::string& b_name) {
  const auto text = [](const SideFile& file, const std::string& key) {
    const auto found = file.settings.find(key);
    return found == file.settings.end() ? std::string("absent") : "\"" + found->second + "\"";
  };
  for (const SideFile* side : {&a, &b}) {
    for (const auto& [key, value] : side->settings) {
      const std::string in_a = text(a, key);
      const std::string in_b = text(b, key);
      if (in_a == in_b) continue;
      return "the setting `" + key + "` is " + in_a + " in " + a_name + " but " + in_b + " in " +
             b_name;
    }
  }
  return "";
}

/// Compares every member of the trace block by its JSON text, so that none can be forgotten.
std::string TraceDifference(const SideFile& a, const SideFile& b, const std::string& a_name,
                            const std::string& b_name) {
  const JsonValue in_a = ToJson(a.trace);
  const JsonValue in_b = ToJson(b.trace);
  const auto text = [](const JsonValue& json, const std::string& key) {
    JsonValue holder = JsonValue::Object();
    holder.Set(key, json.Find(key));
    return holder.DumpCompact();
  };
  for (const std::string& key : in_a.Keys()) {
    const std::string a_text = text(in_a, key);
    const std::string b_text = text(in_b, key);
    if (a_text == b_text) continue;
    return "the trace is another one: " + a_text + " in " + a_name + " but " + b_text + " in " +
           b_name;
  }
  return "";
}

Result<void> CheckSameRun(const SideFile& a, const SideFile& b, const std::string& a_name,
                          const std::string& b_name) {
  std::string difference = SettingsDifference(a, b, a_name, b_name);
  if (difference.empty()) difference = TraceDifference(a, b, a_name, b_name);
  if (difference.empty() && a.target_root != b.target_root) {
    difference = "the target root is \"" + a.target_root + "\" in " + a_name + " but \"" +
                 b.target_root + "\" in " + b_name;
  }
  if (difference.empty()) return {};
  return Error{.kind = ErrorKind::kInput,
               .what = "these side files are not of one run: " + difference,
               .where = {.path = b_name, .line = 0, .item = {}},
               .mend = "give every run a `side_file` prefix of its own"};
}

/// fio numbers its jobs, so a job in two files would be counted twice.
Result<void> CheckJobsAreApart(const std::vector<SideFile>& files,
                               const std::vector<std::string>& names) {
  std::map<std::int64_t, std::size_t> file_of;
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const StreamOutcome& stream : files[i].streams) {
      const auto [entry, is_new] = file_of.try_emplace(stream.job, i);
      if (is_new || entry->second == i) continue;
      return Error{.kind = ErrorKind::kInput,
                   .what = "job " + std::to_string(stream.job) + " is in " +
                           FileName(names, entry->second) + " and in " + FileName(names, i),
                   .where = {},
                   .mend = "give every run a `side_file` prefix of its own"};
    }
  }
  return {};
}

void AddErrors(ErrorDetails& sum, const ErrorDetails& part, std::int64_t shift_ns) {
  sum.count += part.count;
  for (const ErrorKindCount& kind : part.by_kind) {
    const auto same = std::find_if(sum.by_kind.begin(), sum.by_kind.end(), [&](const auto& known) {
      return known.op == kind.op && known.errno_value == kind.errno_value;
    });
    if (same == sum.by_kind.end()) {
      sum.by_kind.push_back(kind);
    } else {
      same->count += kind.count;
    }
  }
  for (FailedOp op : part.first) {
    op.start_ns += shift_ns;
    sum.first.push_back(std::move(op));
  }
}

void MergeOptional(std::optional<LatencyHistogram>& sum,
                   const std::optional<LatencyHistogram>& part) {
  if (!part) return;
  if (!sum) sum.emplace();
  sum->Merge(*part);
}

void AddOps(SideFile& sum, const SideFile& part) {
  for (const auto& [kind, op] : part.ops) {
    SideFileOp& total = sum.ops[kind];
    total.count += op.count;
    total.errors += op.errors;
    total.short_reads += op.short_reads;
    total.bytes += op.bytes;
    total.requested_bytes += op.requested_bytes;
    total.service_time.Merge(op.service_time);
    MergeOptional(total.lag, op.lag);
    MergeOptional(total.response_time, op.response_time);
  }
}

/// The targets are prepared once, before the processes part, and each reports the same.
void JoinPrepare(SideFilePrepare& sum, const SideFilePrepare& part) {
  if (part.duration_ns > sum.duration_ns) sum = part;
}

/// The limiter belongs to all processes of the run, and each reports its figures. Where nothing is
/// counted, the most that can have been in flight is the sum.
void JoinInflight(SideFileInflight& sum, const SideFileInflight& part) {
  sum.limit = part.limit;
  sum.peak_is_counted = part.peak_is_counted;
  sum.peak = part.peak_is_counted ? std::max(sum.peak, part.peak) : sum.peak + part.peak;
  sum.backlog_events = std::max(sum.backlog_events, part.backlog_events);
  sum.backlog_blocked_ns = std::max(sum.backlog_blocked_ns, part.backlog_blocked_ns);
}

void AddStreams(SideFile& sum, const SideFile& part, std::int64_t shift_ns) {
  for (StreamOutcome stream : part.streams) {
    if (stream.ops > 0) {
      stream.first_start_ns += shift_ns;
      stream.first_end_ns += shift_ns;
      stream.last_end_ns += shift_ns;
    }
    sum.streams.push_back(stream);
  }
}

void AddLimitations(SideFile& sum, const SideFile& part) {
  for (const std::string& limitation : part.limitations) {
    if (std::find(sum.limitations.begin(), sum.limitations.end(), limitation) ==
        sum.limitations.end()) {
      sum.limitations.push_back(limitation);
    }
  }
  for (const CountedLimitation& counted : part.counted_limitations) {
    const auto same = std::find_if(
        sum.counted_limitations.begin(), sum.counted_limitations.end(), [&](const auto& known) {
          return known.text == counted.text && known.counts.size() == counted.counts.size();
        });
    if (same == sum.counted_limitations.end()) {
      sum.counted_limitations.push_back(counted);
      continue;
    }
    std::transform(same->counts.begin(), same->counts.end(), counted.counts.begin(),
                   same->counts.begin(), std::plus<>());
  }
}

void Add(SideFile& sum, const SideFile& part) {
  const std::int64_t shift_ns = part.start_ns - sum.start_ns;
  sum.complete = sum.complete && part.complete;
  if (Severity(part.stop_reason) > Severity(sum.stop_reason)) sum.stop_reason = part.stop_reason;
  sum.confined = sum.confined && part.confined;
  AddLimitations(sum, part);
  if (sum.cache.mode.empty()) {
    sum.cache = part.cache;
  } else {
    JoinCache(sum.cache, part.cache, /*part_ends_later=*/part.end_ns >= sum.end_ns);
  }
  sum.end_ns = std::max(sum.end_ns, part.end_ns);
  sum.cpu.user_ns += part.cpu.user_ns;
  sum.cpu.sys_ns += part.cpu.sys_ns;
  sum.payload_ns += part.payload_ns;
  sum.memory.peak_rss_bytes += part.memory.peak_rss_bytes;
  JoinInflight(sum.inflight, part.inflight);
  MergeCurves(sum.curves, part.curves, shift_ns);
  JoinPrepare(sum.prepare, part.prepare);
  AddStreams(sum, part, shift_ns);
  AddOps(sum, part);
  AddErrors(sum.errors, part.errors, shift_ns);
}

/// What all files share, with nothing counted yet.
SideFile EmptyUnion(const std::vector<SideFile>& files) {
  const SideFile& earliest =
      *std::min_element(files.begin(), files.end(),
                        [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; });
  SideFile sum;
  sum.engine_version = files.front().engine_version;
  sum.fio_version = files.front().fio_version;
  sum.job_name = files.front().job_name;
  sum.settings = files.front().settings;
  sum.trace = files.front().trace;
  sum.target_root = files.front().target_root;
  sum.merged_targets = files.front().merged_targets;
  sum.pacing = files.front().pacing;
  // Counted for all processes together: the last one to end has seen most.
  for (const SideFile& file : files) {
    if (!sum.causal_order ||
        (file.causal_order && file.causal_order->waits > sum.causal_order->waits))
      sum.causal_order = file.causal_order;
  }
  sum.memory.trace_bytes = files.front().memory.trace_bytes;  // shared by forked processes
  sum.complete = true;
  sum.confined = true;
  sum.start_ns = earliest.start_ns;
  sum.end_ns = earliest.end_ns;
  sum.start_unix_ns = earliest.start_unix_ns;
  return sum;
}

}  // namespace

Result<SideFile> MergeSideFiles(const std::vector<SideFile>& files,
                                const std::vector<std::string>& names) {
  if (files.empty()) {
    return Error{.kind = ErrorKind::kFailed,
                 .what = "there is no side file: the engine never finished a job",
                 .where = {},
                 .mend = "look at fio's own messages for the reason"};
  }
  for (std::size_t i = 1; i < files.size(); ++i) {
    IOFLUX_RETURN_IF_ERROR(
        CheckSameRun(files[0], files[i], FileName(names, 0), FileName(names, i)));
  }
  IOFLUX_RETURN_IF_ERROR(CheckJobsAreApart(files, names));
  SideFile sum = EmptyUnion(files);
  for (const SideFile& file : files) Add(sum, file);
  std::stable_sort(sum.streams.begin(), sum.streams.end(), [](const auto& a, const auto& b) {
    return std::tie(a.stream, a.job) < std::tie(b.stream, b.job);
  });
  std::stable_sort(sum.errors.first.begin(), sum.errors.first.end(),
                   [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; });
  if (sum.errors.first.size() > kFirstErrors) sum.errors.first.resize(kFirstErrors);
  std::stable_sort(
      sum.errors.by_kind.begin(), sum.errors.by_kind.end(), [](const auto& a, const auto& b) {
        return std::tie(b.count, a.op, a.errno_value) < std::tie(a.count, b.op, b.errno_value);
      });
  return sum;
}

Result<void> CheckEachStreamOnce(const SideFile& merged) {
  const std::vector<StreamOutcome>& sorted = merged.streams;
  const auto twice =
      std::adjacent_find(sorted.begin(), sorted.end(),
                         [](const auto& a, const auto& b) { return a.stream == b.stream; });
  if (twice == sorted.end()) return {};
  return Error{.kind = ErrorKind::kInput,
               .what = "stream " + std::to_string(twice->stream) +
                       " is in these side files twice, as job " + std::to_string(twice->job) +
                       " and as job " + std::to_string(std::next(twice)->job),
               .where = {},
               .mend =
                   "remove side files of earlier runs with this prefix, or give every run a "
                   "`side_file` prefix of its own"};
}

}  // namespace ioflux
