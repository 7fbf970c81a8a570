// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/fio_json.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/byte_source.h"
#include "base/json_value.h"
#include "base/utf8.h"

namespace ioflux {
namespace {

Error BadOutput(const std::string& name, std::string what) {
  return Error{.kind = ErrorKind::kInput,
               .what = std::move(what),
               .where = {.path = name, .line = 0, .item = {}},
               .mend = "run fio with --output-format=json+ and let it end by itself"};
}

/// End (one past the brace) of the object that starts at `begin`, npos when the text ends first.
std::size_t EndOfObject(std::string_view text, std::size_t begin) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

/// A brace that starts a line: messages before the document may hold braces of their own.
std::size_t StartOfObject(std::string_view text, std::size_t from) {
  for (std::size_t at = from; (at = text.find('{', at)) != std::string_view::npos; ++at) {
    if (at == 0 || text[at - 1] == '\n') return at;
  }
  return std::string_view::npos;
}

Result<std::string_view> LastDocument(std::string_view text, const std::string& name) {
  std::size_t start = StartOfObject(text, 0);
  if (start == std::string_view::npos) start = text.find('{');
  if (start == std::string_view::npos) {
    const bool blank = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
    return BadOutput(name,
                     blank ? "fio wrote nothing" : "there is no JSON document in fio's output");
  }
  std::string_view last;
  while (start != std::string_view::npos) {
    const std::size_t end = EndOfObject(text, start);
    if (end == std::string_view::npos) {
      return BadOutput(name, "fio's JSON document is cut short: it ends before its last brace");
    }
    last = text.substr(start, end - start);
    start = StartOfObject(text, end);
  }
  return last;
}

/// fio writes option values (paths, say) into its document as they are: control characters and what
/// is no UTF-8 are legal in a path and not in JSON. None of what is read here has any.
std::string WithoutOddBytes(std::string_view document) {
  std::string text = ReplaceInvalidUtf8(document);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

Result<FioLatency> ReadLatency(const JsonValue& json) {
  FioLatency latency;
  IOFLUX_ASSIGN_OR_RETURN(const std::int64_t count, json.GetIntOr("N", 0));
  latency.count = static_cast<std::uint64_t>(count);
  IOFLUX_ASSIGN_OR_RETURN(latency.min_ns, json.GetIntOr("min", 0));
  IOFLUX_ASSIGN_OR_RETURN(latency.max_ns, json.GetIntOr("max", 0));
  IOFLUX_ASSIGN_OR_RETURN(latency.mean_ns, json.GetRealOr("mean", 0));
  if (!json.Has("bins")) return latency;
  IOFLUX_ASSIGN_OR_RETURN(const JsonValue bins, json.GetObject("bins"));
  for (const std::string& key : bins.Keys()) {
    std::int64_t middle_ns = -1;
    const auto [end, problem] = std::from_chars(key.data(), key.data() + key.size(), middle_ns);
    if (problem != std::errc{} || end != key.data() + key.size() || middle_ns < 0 ||
        middle_ns >= LatencyHistogram::kLimitNs) {
      return bins.ErrorHere("\"" + key + "\" is no latency bucket of fio");
    }
    IOFLUX_ASSIGN_OR_RETURN(const std::int64_t samples, bins.GetInt(key));
    latency.bins.emplace_back(LatencyHistogram::BucketOf(middle_ns),
                              static_cast<std::uint64_t>(samples));
  }
  std::sort(latency.bins.begin(), latency.bins.end());
  return latency;
}

Result<FioDirection> ReadDirection(const JsonValue& job, std::string_view key) {
  FioDirection direction;
  IOFLUX_ASSIGN_OR_RETURN(const JsonValue json, job.GetObject(key));
  IOFLUX_ASSIGN_OR_RETURN(direction.total_ios, json.GetInt("total_ios"));
  IOFLUX_ASSIGN_OR_RETURN(direction.io_bytes, json.GetInt("io_bytes"));
  IOFLUX_ASSIGN_OR_RETURN(direction.short_ios, json.GetIntOr("short_ios", 0));
  IOFLUX_ASSIGN_OR_RETURN(direction.runtime_ms, json.GetInt("runtime"));
  if (json.Has("clat_ns")) {
    IOFLUX_ASSIGN_OR_RETURN(const JsonValue latency, json.GetObject("clat_ns"));
    IOFLUX_ASSIGN_OR_RETURN(direction.latency, ReadLatency(latency));
  }
  return direction;
}

Result<FioSync> ReadSync(const JsonValue& job) {
  FioSync sync;
  if (!job.Has("sync")) return sync;
  IOFLUX_ASSIGN_OR_RETURN(const JsonValue json, job.GetObject("sync"));
  IOFLUX_ASSIGN_OR_RETURN(sync.total_ios, json.GetIntOr("total_ios", 0));
  if (json.Has("lat_ns")) {
    IOFLUX_ASSIGN_OR_RETURN(const JsonValue latency, json.GetObject("lat_ns"));
    IOFLUX_ASSIGN_OR_RETURN(sync.latency, ReadLatency(latency));
  }
  return sync;
}

Result<FioJob> ReadJob(const JsonValue& json) {
  if (json.Has("mixed") && !json.Has("read")) {
    return json.ErrorHere("fio counted reads and writes together", "set unified_rw_reporting=none");
  }
  FioJob job;
  IOFLUX_ASSIGN_OR_RETURN(job.name, json.GetString("jobname"));
  IOFLUX_ASSIGN_OR_RETURN(job.hostname, json.GetStringOr("hostname", ""));
  IOFLUX_ASSIGN_OR_RETURN(job.group_id, json.GetIntOr("groupid", 0));
  IOFLUX_ASSIGN_OR_RETURN(job.error, json.GetInt("error"));
  IOFLUX_ASSIGN_OR_RETURN(job.total_errors, json.GetIntOr("total_err", 0));
  IOFLUX_ASSIGN_OR_RETURN(job.job_runtime_ms, json.GetIntOr("job_runtime", 0));
  IOFLUX_ASSIGN_OR_RETURN(job.usr_cpu_percent, json.GetRealOr("usr_cpu", 0));
  IOFLUX_ASSIGN_OR_RETURN(job.sys_cpu_percent, json.GetRealOr("sys_cpu", 0));
  IOFLUX_ASSIGN_OR_RETURN(job.read, ReadDirection(json, "read"));
  IOFLUX_ASSIGN_OR_RETURN(job.write, ReadDirection(json, "write"));
  IOFLUX_ASSIGN_OR_RETURN(job.trim, ReadDirection(json, "trim"));
  IOFLUX_ASSIGN_OR_RETURN(job.sync, ReadSync(json));
  return job;
}

void AddLatency(FioLatency& sum, const FioLatency& part) {
  if (part.count == 0) return;
  const double total = static_cast<double>(sum.count + part.count);
  sum.mean_ns = (sum.mean_ns * static_cast<double>(sum.count) +
                 part.mean_ns * static_cast<double>(part.count)) /
                total;
  sum.min_ns = sum.count == 0 ? part.min_ns : std::min(sum.min_ns, part.min_ns);
  sum.max_ns = std::max(sum.max_ns, part.max_ns);
  sum.count += part.count;
  std::vector<std::pair<int, std::uint64_t>> merged;
  auto a = sum.bins.begin();
  auto b = part.bins.begin();
  while (a != sum.bins.end() || b != part.bins.end()) {
    if (b == part.bins.end() || (a != sum.bins.end() && a->first < b->first)) {
      merged.push_back(*a++);
    } else if (a == sum.bins.end() || b->first < a->first) {
      merged.push_back(*b++);
    } else {
      merged.emplace_back(a->first, a->second + b->second);
      ++a, ++b;
    }
  }
  sum.bins = std::move(merged);
}

void AddDirection(FioDirection& sum, const FioDirection& part) {
  sum.total_ios += part.total_ios;
  sum.io_bytes += part.io_bytes;
  sum.short_ios += part.short_ios;
  sum.runtime_ms = std::max(sum.runtime_ms, part.runtime_ms);
  AddLatency(sum.latency, part.latency);
}

}  // namespace

LatencyHistogram FioLatency::Histogram() const {
  LatencyHistogram histogram;
  for (const auto& [bucket, samples] : bins) histogram.AddBucket(bucket, samples);
  return histogram;
}

FioJob FioOutput::Totals() const {
  FioJob sum;
  for (const FioJob& job : jobs) {
    if (sum.error == 0) sum.error = job.error;
    sum.total_errors += job.total_errors;
    sum.job_runtime_ms = std::max(sum.job_runtime_ms, job.job_runtime_ms);
    AddDirection(sum.read, job.read);
    AddDirection(sum.write, job.write);
    AddDirection(sum.trim, job.trim);
    sum.sync.total_ios += job.sync.total_ios;
    AddLatency(sum.sync.latency, job.sync.latency);
  }
  return sum;
}

Result<FioOutput> ParseFioOutput(std::string_view text, const std::string& name) {
  IOFLUX_ASSIGN_OR_RETURN(const std::string_view last, LastDocument(text, name));
  IOFLUX_ASSIGN_OR_RETURN(const JsonValue document, JsonValue::Parse(WithoutOddBytes(last), name));
  const bool client = document.Has("client_stats");
  if (!document.Has("fio version") || (!client && !document.Has("jobs"))) {
    return BadOutput(name, "this JSON document is not fio's");
  }
  FioOutput output;
  IOFLUX_ASSIGN_OR_RETURN(output.version, document.GetString("fio version"));
  IOFLUX_ASSIGN_OR_RETURN(output.timestamp_s, document.GetIntOr("timestamp", 0));
  IOFLUX_ASSIGN_OR_RETURN(const JsonValue jobs,
                          document.GetArray(client ? "client_stats" : "jobs"));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    IOFLUX_ASSIGN_OR_RETURN(FioJob job, ReadJob(jobs.At(i)));
    // With more than one client fio adds their sum as a job of its own.
    if (client && job.name == "All clients") continue;
    output.jobs.push_back(std::move(job));
  }
  return output;
}

Result<FioOutput> ReadFioOutput(const std::string& path_or_dash) {
  IOFLUX_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path_or_dash));
  return ParseFioOutput(text, path_or_dash);
}

}  // namespace ioflux
