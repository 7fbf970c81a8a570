// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/header_rules.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/nearest_name.h"
#include "trace_tools/format/rfc3339.h"

namespace ioflux {
namespace {

constexpr std::int64_t kNewestVersion = 3;
constexpr std::array<std::string_view, 3> kTraceKinds = {"captured", "imported", "synthetic"};
constexpr std::array<std::string_view, 2> kTargetKinds = {"file", "object"};
constexpr std::array<std::string_view, 4> kMethodWords = {"python-io-hooks", "ebpf-syscall",
                                                          "mmap-aware", "synthetic"};
constexpr std::string_view kImportPrefix = "import:";

template <typename Words>
bool IsOneOf(std::string_view text, const Words& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool IsImportMethod(std::string_view method) {
  return method.starts_with(kImportPrefix) && method.size() > kImportPrefix.size();
}

class HeaderCheck {
 public:
  HeaderCheck(const TraceHeader& header, const TraceReader::HeaderPresence& presence,
              FindingLog& log)
      : header_(header), presence_(presence), log_(log) {}

  void Run() {
    CheckPresence();
    CheckVersion();
    CheckKindAndUnit();
    CheckMethod();
    CheckTargets();
    CheckSummary();
    CheckFurther();
  }

 private:
  template <typename... Args>
  void Add(Rule rule, fmt::format_string<Args...> text, Args&&... args) {
    log_.Add(rule, kHeaderPlace, text, std::forward<Args>(args)...);
  }

  void CheckPresence() {
    if (!presence_.targets) Add(Rule::kHP_1, "targets is missing");
    if (presence_.targets_null) Add(Rule::kHP_3, "targets is null");
    if (!presence_.summary) {
      Add(Rule::kHP_2, "summary is missing");
      return;
    }
    if (presence_.summary_null) {
      Add(Rule::kHP_4, "summary is null");
      return;
    }
    constexpr std::array<Rule, 5> kRules = {Rule::kHP_5, Rule::kHP_6, Rule::kHP_7, Rule::kHP_8,
                                            Rule::kHP_9};
    for (std::size_t i = 0; i < kRules.size(); ++i) {
      if (!presence_.summary_counters[i]) Add(kRules[i], "{} is missing", InfoOf(kRules[i]).field);
    }
  }

  void CheckVersion() {
    if (header_.version == 0) {
      Add(Rule::kHV_1, "ioflux_trace_version is missing or 0");
    } else if (header_.version < 1 || header_.version > kNewestVersion) {
      Add(Rule::kHV_2, "version {} is not supported (1 to {} are)", header_.version,
          kNewestVersion);
    }
  }

  void CheckKindAndUnit() {
    if (header_.kind.empty()) {
      Add(Rule::kHV_3, "kind is missing");
    } else if (!IsOneOf(header_.kind, kTraceKinds)) {
      Add(Rule::kHV_4, "kind {} is unknown; {}", Quoted(header_.kind),
          SuggestName(header_.kind, kTraceKinds));
    }
    if (header_.time_unit.empty()) {
      Add(Rule::kHV_5, "time_unit is missing");
    } else if (header_.time_unit != "ns") {
      Add(Rule::kHV_6, "time_unit is {}, not \"ns\"", Quoted(header_.time_unit));
    }
  }

  void CheckMethod() {
    const std::string& method = header_.capture_method;
    const bool from_import = IsImportMethod(method);
    if (!method.empty() && !from_import && !IsOneOf(method, kMethodWords)) {
      Add(Rule::kHV_7, "capture_method {} is unknown; {}", Quoted(method),
          SuggestName(method, kMethodWords));
    }
    const bool captured = header_.kind == "captured";
    const bool imported = header_.kind == "imported";
    if (captured || imported) {
      if (method.empty())
        Add(Rule::kHV_8, "a trace of kind {} needs a capture_method", header_.kind);
      if (header_.capture_limitations.empty()) {
        Add(Rule::kHV_9, "a trace of kind {} needs capture_limitations", header_.kind);
      }
    }
    if (captured && (from_import || method == "synthetic")) {
      Add(Rule::kHV_10, "capture_method {} does not fit kind captured", Quoted(method));
    }
    if (imported && !method.empty() && !from_import) {
      Add(Rule::kHV_11, "capture_method {} does not fit kind imported", Quoted(method));
    }
    if (header_.kind == "synthetic" && !method.empty() && method != "synthetic") {
      Add(Rule::kHV_12, "capture_method {} does not fit kind synthetic", Quoted(method));
    }
  }

  void CheckTargets() {
    for (std::size_t i = 0; i < header_.targets.size(); ++i) {
      const Target& target = header_.targets[i];
      if (target.id != static_cast<std::int64_t>(i)) {
        Add(Rule::kHT_1, "the target at place {} has id {}", i, target.id);
      }
      if (target.name.empty()) Add(Rule::kHT_2, "target {} has no name", i);
      if (target.kind.empty()) {
        Add(Rule::kHT_3, "target {} has no kind", i);
      } else if (!IsOneOf(target.kind, kTargetKinds)) {
        Add(Rule::kHT_4, "target {} has the unknown kind {}; {}", i, Quoted(target.kind),
            SuggestName(target.kind, kTargetKinds));
      }
      if (target.size_bytes < 0) Add(Rule::kHT_5, "target {} has size {}", i, target.size_bytes);
    }
  }

  void CheckSummary() {
    const TraceSummary& summary = header_.summary;
    const std::pair<Rule, std::int64_t> counters[] = {{Rule::kHS_1, summary.num_ops},
                                                      {Rule::kHS_2, summary.num_streams},
                                                      {Rule::kHS_3, summary.num_groups},
                                                      {Rule::kHS_4, summary.total_bytes},
                                                      {Rule::kHS_5, summary.duration_ns}};
    for (const auto& [rule, value] : counters) {
      if (value < 0) Add(rule, "{} is {}", InfoOf(rule).field, value);
    }
  }

  void CheckFurther() {
    if (!header_.transformations.empty() && header_.version < 3) {
      Add(Rule::kHX_1, "{} transformation(s) under version {}", header_.transformations.size(),
          header_.version);
    }
    if (!presence_.scrubbed) Add(Rule::kHX_3c, "scrubbed is missing and read as false");
    CheckDuplicateTargets();
    if (!header_.created_utc.empty() && !IsRfc3339Time(header_.created_utc)) {
      Add(Rule::kHX_3q, "created_utc is {}", Quoted(header_.created_utc));
    }
    for (std::size_t i = 0; i < header_.transformations.size(); ++i) {
      const std::string& time = header_.transformations[i].applied_utc;
      if (time.empty() || IsRfc3339Time(time)) continue;
      Add(Rule::kHX_3r, "applied_utc of transformation {} is {}", i + 1, Quoted(time));
    }
  }

  void CheckDuplicateTargets() {
    const std::vector<Target>& targets = header_.targets;
    std::vector<std::size_t> order(targets.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&targets](std::size_t i) {
      return std::tie(targets[i].name, targets[i].kind);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&key](std::size_t a, std::size_t b) { return key(a) < key(b); });
    std::vector<std::pair<std::size_t, std::size_t>> duplicates;  // and the first of its kind
    for (std::size_t i = 1, first = 0; i < order.size(); ++i) {
      if (key(order[i]) != key(order[first])) {
        first = i;
      } else if (!targets[order[i]].name.empty()) {
        duplicates.emplace_back(order[i], order[first]);
      }
    }
    std::sort(duplicates.begin(), duplicates.end());
    for (const auto& [later, first] : duplicates) {
      Add(Rule::kHX_3i, "targets {} and {} are both the {} {}", first, later,
          Quoted(targets[later].kind), Quoted(targets[later].name));
    }
  }

  const TraceHeader& header_;
  const TraceReader::HeaderPresence& presence_;
  FindingLog& log_;
};

}  // namespace

void CheckHeader(const TraceHeader& header, const TraceReader::HeaderPresence& presence,
                 FindingLog& log) {
  HeaderCheck(header, presence, log).Run();
}

}  // namespace ioflux
