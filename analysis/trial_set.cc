// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/trial_set.h"

#include <array>
#include <utility>

#include "analysis/artifact.h"

namespace ioflux {
namespace {

/// Members of a trial that are the same in every trial of a run, or nearly.
constexpr std::array<std::string_view, 3> kSharedMembers{"settings", "environment",
                                                         "trace_identity"};

bool AllHave(const std::vector<JsonValue>& objects, const std::string& key,
             const std::string& value) {
  for (const JsonValue& object : objects) {
    if (!object.Has(key) || object.Find(key).DumpCompact() != value) return false;
  }
  return true;
}

/// The members that all `objects` have with the same value.
JsonValue CommonMembers(const std::vector<JsonValue>& objects) {
  JsonValue common = JsonValue::Object();
  if (objects.empty()) return common;
  for (const std::string& key : objects.front().Keys()) {
    const JsonValue value = objects.front().Find(key);
    if (AllHave(objects, key, value.DumpCompact())) common.Set(key, value);
  }
  return common;
}

JsonValue Without(const JsonValue& object, const JsonValue& members) {
  JsonValue rest = JsonValue::Object();
  for (const std::string& key : object.Keys()) {
    if (!members.Has(key)) rest.Set(key, object.Find(key));
  }
  return rest;
}

/// Takes what they have in common out of the trials.
JsonValue TakeShared(std::vector<JsonValue>& trials) {
  JsonValue shared = JsonValue::Object();
  for (const std::string_view member : kSharedMembers) {
    std::vector<JsonValue> values;
    for (const JsonValue& trial : trials) values.push_back(trial.Find(member));
    const JsonValue common = CommonMembers(values);
    shared.Set(member, common);
    for (JsonValue& trial : trials) trial.Set(member, Without(trial.Find(member), common));
  }
  return shared;
}

/// Puts it back.
void GiveShared(const JsonValue& shared, JsonValue& trial) {
  for (const std::string_view member : kSharedMembers) {
    const JsonValue common = shared.Find(member);
    JsonValue own = trial.Find(member);
    if (!common.is_object() || !own.is_object()) continue;
    for (const std::string& key : common.Keys()) {
      if (!own.Has(key)) own.Set(key, common.Find(key));
    }
  }
}

Result<void> ReadTrials(const JsonValue& document, TrialSet& set) {
  IOFLUX_ASSIGN_OR_RETURN(const JsonValue trials, document.GetArray("trials"));
  if (trials.size() == 0) {
    return document.ErrorHere(set.incomplete_reason.empty()
                                  ? "the set holds no trials"
                                  : "the set holds no trials: " + set.incomplete_reason,
                              "run it again");
  }
  const JsonValue shared = document.Find("shared");
  for (std::size_t i = 0; i < trials.size(); ++i) {
    JsonValue trial = trials.At(i);
    if (trial.is_object()) GiveShared(shared, trial);
    IOFLUX_ASSIGN_OR_RETURN(RunResult result, DecodeRunResult(trial));
    set.trials.push_back(std::move(result));
  }
  return {};
}

Result<void> CheckSummary(const JsonValue& document, const TrialSet& set) {
  IOFLUX_ASSIGN_OR_RETURN(const JsonValue json, document.GetObject("summary"));
  TrialSummary stored;
  IOFLUX_RETURN_IF_ERROR(FromJson(json, set.origin, stored));
  const Result<void> same = CompareSummaries(stored, set.summary);
  if (same) return {};
  Error error = same.error();
  error.where.path = document.where().path;
  return error;
}

}  // namespace

RunRecord RecordOf(const RunResult& run) {
  return RunRecord{.generated_at = run.generated_at,
                   .complete = run.complete,
                   .incomplete_reason = run.incomplete_reason,
                   .duration_ns = run.duration_ns,
                   .ops_completed = run.ops_completed,
                   .bytes_moved = run.bytes_moved,
                   .errors = run.errors,
                   .short_reads = run.short_reads};
}

void AddTrial(RunResult trial, TrialSet& set) {
  set.trials.push_back(std::move(trial));
  set.summary = SummariseTrialSet(set.trials);
}

JsonValue TrialSetToJson(const TrialSet& set) {
  std::vector<JsonValue> trials;
  for (const RunResult& trial : set.trials) trials.push_back(RunResultToJson(trial));
  JsonValue document = ToJson(set);
  document.Set("shared", TakeShared(trials));
  JsonValue array = JsonValue::Array();
  for (JsonValue& trial : trials) array.Append(std::move(trial));
  document.Set("trials", std::move(array));
  document.Set("summary", ToJson(set.summary));
  return document;
}

std::string EncodeTrialSet(const TrialSet& set) { return TrialSetToJson(set).Dump(); }

Result<TrialSet> DecodeTrialSet(const JsonValue& document) {
  IOFLUX_RETURN_IF_ERROR(ExpectArtifact(document, ArtifactKind::kTrialSet));
  IOFLUX_RETURN_IF_ERROR(CheckResultSchema(document));
  TrialSet set;
  set.origin = document.Has("artifact") ? FieldOrigin::kOwn : FieldOrigin::kIoflux;
  FieldReader reader(document, set.origin);
  TrialSet::Fields(set, reader);
  IOFLUX_RETURN_IF_ERROR(reader.result());
  IOFLUX_RETURN_IF_ERROR(ReadTrials(document, set));
  if (set.origin == FieldOrigin::kIoflux) {
    set.planned_trials = static_cast<std::int64_t>(set.trials.size());
    set.planned_warmups = set.warmup_trials;
  }
  set.summary = SummariseTrialSet(set.trials);
  IOFLUX_RETURN_IF_ERROR(CheckSummary(document, set));
  return set;
}

}  // namespace ioflux
