// SPDX-License-Identifier: GPL-2.0-only
#include "tests/trace_tools/import/truth_comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/trace_tools/import/truth_model.h"

namespace ioflux {
namespace {

using Sequence = std::vector<ExpectedOp>;

TruthModel ReadTruth(const std::string& path) {
  TruthModel model;
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  std::string line;
  while (std::getline(file, line)) {
    const auto call = JsonValue::Parse(line, path);
    if (!call) {
      ADD_FAILURE() << Describe(call.error());
      break;
    }
    model.OnCall(call.value());
  }
  return model;
}

// "…; streams: s0=pid 41, s1=pid 42; …": thread -> stream.
std::map<std::int64_t, std::int64_t> StreamsOf(const std::string& notes) {
  std::map<std::int64_t, std::int64_t> streams;
  const std::string intro = "streams: ";
  const std::size_t start = notes.find(intro);
  if (start == std::string::npos) return streams;
  std::stringstream list(
      notes.substr(start + intro.size(), notes.find(';', start) - start - intro.size()));
  std::string item;
  while (std::getline(list, item, ',')) {
    std::int64_t stream = 0;
    std::int64_t tid = 0;
    if (std::sscanf(item.c_str(), " s%ld=pid %ld", &stream, &tid) == 2) streams[tid] = stream;
  }
  return streams;
}

// The last component, without the mark of a name that was used before.
std::string PlainName(const std::string& target) {
  std::string name = target.substr(target.rfind('/') + 1);
  const std::size_t mark = name.rfind('#');
  if (mark != std::string::npos && name.find_first_not_of("0123456789", mark + 1) == name.npos) {
    name.resize(mark);
  }
  return name;
}

std::vector<std::string> KnownFlags(const Op& op) {
  std::vector<std::string> known;
  for (const std::string& flag : op.flags) {
    if (flag == "create" || flag == "trunc" || flag == "append") known.push_back(flag);
  }
  return known;
}

bool SameOpen(const ExpectedOp& wanted, const Op& op, const std::string& name) {
  return op.kind == OpKind::kOPEN && wanted.kind == OpKind::kOPEN && wanted.name == name &&
         wanted.mode == op.mode && wanted.flags == KnownFlags(op);
}

ExpectedOp Seen(const Op& op, const std::string& name) {
  ExpectedOp seen{.kind = op.kind, .name = name, .flags = {}};
  seen.mode = op.mode;
  seen.flags = KnownFlags(op);
  if (op.kind == OpKind::kREAD || op.kind == OpKind::kWRITE) {
    seen.offset = op.offset;
    seen.length = op.length_bytes;
    seen.returned = op.MovedBytes();
  }
  return seen;
}

class Comparison {
 public:
  Comparison(const ImportedForTest& imported, const TruthModel& truth, const TruthOptions& options)
      : imported_(imported), truth_(truth), options_(options) {
    for (const auto& [tid, sequence] : truth.expected()) {
      for (const ExpectedOp& op : sequence) names_.insert(NameInTrace(op));
    }
    for (const Op& op : imported.ops) {
      if (op.kind == OpKind::kOPEN) {
        handle_names_[op.handle] =
            PlainName(imported.header.targets[static_cast<std::size_t>(op.target)].name);
      }
    }
  }

  TruthResult Run() {
    const auto streams = StreamsOf(imported_.header.notes);
    for (const auto& [tid, wanted] : truth_.expected()) {
      const auto stream = streams.find(tid);
      CompareThread(tid, wanted, stream == streams.end() ? -1 : stream->second);
    }
    return result_;
  }

 private:
  std::string NameInTrace(const ExpectedOp& op) const {
    const auto alias = options_.aliases.find(op.name);
    return alias == options_.aliases.end() ? op.name : alias->second;
  }

  // What the trace has of one stream, less what the log cannot have.
  Sequence SeenOf(std::int64_t stream, const Sequence& wanted) {
    Sequence seen;
    std::set<std::int64_t> simple;  // handles of open files that were never shared
    auto next_open = wanted.begin();
    for (const Op& op : imported_.ops) {
      if (op.stream != stream || op.kind == OpKind::kSTAT) continue;
      const std::string& name = handle_names_[op.handle];
      if (!names_.contains(name)) {
        ++result_.not_in_truth;
        continue;
      }
      if (op.kind == OpKind::kOPEN) {
        const auto match = std::find_if(next_open, wanted.end(), [&](const ExpectedOp& open) {
          ExpectedOp renamed = open;
          renamed.name = NameInTrace(open);
          return SameOpen(renamed, op, name);
        });
        if (match == wanted.end()) {
          ++result_.synthetic_opens;
          continue;
        }
        next_open = match + 1;
        if (truth_.IsSimple(match->open_file)) simple.insert(op.handle);
      }
      if (op.kind == OpKind::kCLOSE && !simple.contains(op.handle)) continue;
      seen.push_back(Seen(op, name));
    }
    return seen;
  }

  bool Agrees(const ExpectedOp& wanted, const ExpectedOp& seen) const {
    ExpectedOp truth = wanted;
    truth.name = NameInTrace(wanted);
    if (options_.positions_assumed && truth.at_position) truth.offset = seen.offset;
    return truth.Text() == seen.Text();
  }

  void CompareThread(std::int64_t tid, Sequence wanted, std::int64_t stream) {
    Sequence seen = SeenOf(stream, wanted);
    if (options_.capture_is_late) {
      const auto is_close = [](const ExpectedOp& op) { return op.kind == OpKind::kCLOSE; };
      std::erase_if(wanted, is_close);
      std::erase_if(seen, is_close);
    }
    std::size_t start = 0;
    if (options_.capture_is_late && seen.size() < wanted.size())
      start = wanted.size() - seen.size();
    const std::size_t count = std::min(seen.size(), wanted.size() - start);
    for (std::size_t i = 0; i < count; ++i) {
      if (!Agrees(wanted[start + i], seen[i])) {
        result_.mismatches.push_back("thread " + std::to_string(tid) + ", operation " +
                                     std::to_string(i) + ": truth " + wanted[start + i].Text() +
                                     ", trace " + seen[i].Text());
        return;
      }
      ++result_.compared;
    }
    const std::size_t missing = wanted.size() - count;
    result_.missing += missing;
    if (seen.size() > count) {
      result_.mismatches.push_back("thread " + std::to_string(tid) + ": more than the truth, " +
                                   seen[count].Text());
    } else if (missing > 0 && !options_.capture_is_cut && !options_.capture_is_late) {
      result_.mismatches.push_back("thread " + std::to_string(tid) + ": less than the truth, " +
                                   wanted[count].Text());
    }
  }

  const ImportedForTest& imported_;
  const TruthModel& truth_;
  const TruthOptions& options_;
  std::set<std::string> names_;  // files the log names, as the trace does
  std::map<std::int64_t, std::string> handle_names_;
  TruthResult result_;
};

}  // namespace

TruthResult CompareWithTruth(const ImportedForTest& imported, const std::string& truth_path,
                             const TruthOptions& options) {
  const TruthModel truth = ReadTruth(truth_path);
  return Comparison(imported, truth, options).Run();
}

}  // namespace ioflux
