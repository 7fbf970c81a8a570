// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/run_result.h"

#include "analysis/artifact.h"

namespace ioflux {
namespace {

Error Unsupported(const JsonValue& document, std::string what, std::string mend) {
  return Error{.kind = ErrorKind::kUnsupported,
               .what = std::move(what),
               .where = document.where(),
               .mend = std::move(mend)};
}

/// What IOFlux's results leave unsaid, in our terms.
void FillFromIoflux(const JsonValue& document, RunResult& result) {
  result.plan.confined = !result.plan.target_root.empty();
  if (document.Has("histogram_snapshot")) {
    result.notes.push_back(
        "its histograms are in HdrHistogram's layout, which is not read: percentiles are shown as "
        "stored");
  }
}

}  // namespace

Result<void> CheckResultSchema(const JsonValue& document) {
  IOFLUX_ASSIGN_OR_RETURN(const std::int64_t version, document.GetInt("result_schema_version"));
  if (version == kResultSchemaVersion) return {};
  return Unsupported(document,
                     "result schema version " + std::to_string(version) +
                         " is not known (known: " + std::to_string(kResultSchemaVersion) + ")",
                     version > kResultSchemaVersion ? "use a newer ioflux" : "replay again");
}

JsonValue RunResultToJson(const RunResult& result) { return ToJson(result); }

std::string EncodeRunResult(const RunResult& result) { return RunResultToJson(result).Dump(); }

Result<RunResult> DecodeRunResult(const JsonValue& document) {
  IOFLUX_RETURN_IF_ERROR(ExpectArtifact(document, ArtifactKind::kResult));
  IOFLUX_RETURN_IF_ERROR(CheckResultSchema(document));
  RunResult result;
  result.origin = document.Has("artifact") ? FieldOrigin::kOwn : FieldOrigin::kIoflux;
  FieldReader reader(document, result.origin);
  if (result.origin == FieldOrigin::kIoflux) reader.Ignore("histogram_snapshot");
  RunResult::Fields(result, reader);
  IOFLUX_RETURN_IF_ERROR(reader.result());
  if (result.histogram_snapshot.layout != kHistogramLayout) {
    return Unsupported(document,
                       "the histogram layout \"" + result.histogram_snapshot.layout +
                           "\" is not known (known: " + std::string(kHistogramLayout) + ")",
                       "use a newer ioflux");
  }
  if (result.origin == FieldOrigin::kIoflux) FillFromIoflux(document, result);
  return result;
}

Result<RunResult> ParseRunResult(std::string_view text, const std::string& name) {
  IOFLUX_ASSIGN_OR_RETURN(const JsonValue document, JsonValue::Parse(text, name));
  return DecodeRunResult(document);
}

}  // namespace ioflux
