// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/artifact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ioflux {
namespace {

using ::testing::HasSubstr;

JsonValue Document(std::string_view text) {
  const Result<JsonValue> json = JsonValue::Parse(text, "a.json");
  EXPECT_TRUE(json.ok()) << text;
  return json.value();
}

TEST(Artifact, SaysItsKindItself) {
  EXPECT_EQ(RecogniseArtifact(Document(R"({"artifact":"result"})")), ArtifactKind::kResult);
  EXPECT_EQ(RecogniseArtifact(Document(R"({"artifact":"trial_set"})")), ArtifactKind::kTrialSet);
  EXPECT_EQ(RecogniseArtifact(Document(R"({"artifact":"comparison"})")), ArtifactKind::kComparison);
}

TEST(Artifact, OfIofluxIsToldByItsContent) {
  EXPECT_EQ(RecogniseArtifact(Document(R"({"result_schema_version":2})")), ArtifactKind::kResult);
  EXPECT_EQ(RecogniseArtifact(Document(R"({"result_schema_version":2,"trials":[]})")),
            ArtifactKind::kTrialSet);
  EXPECT_EQ(RecogniseArtifact(Document(R"({"result_schema_version":2,"trials":null})")),
            ArtifactKind::kResult);
  EXPECT_EQ(RecogniseArtifact(Document(R"({"baseline":{},"treatment":{},"trials":[]})")),
            ArtifactKind::kExperiment);
  EXPECT_EQ(RecogniseArtifact(Document(R"({"calibration_schema_version":1,"trials":{}})")),
            ArtifactKind::kCalibration);
  EXPECT_EQ(RecogniseArtifact(Document(R"({"fio version":"fio-3.33"})")), ArtifactKind::kFioOutput);
}

TEST(Artifact, AnythingElseIsUnknown) {
  for (const char* text : {"{}", "[]", "1", "null", R"({"artifact":""})", R"({"artifact":7})",
                           R"({"artifact":"x"})"}) {
    EXPECT_EQ(RecogniseArtifact(Document(text)), ArtifactKind::kUnknown) << text;
  }
}

TEST(Artifact, RefusalNamesBothKinds) {
  const Result<void> refused =
      ExpectArtifact(Document(R"({"artifact":"trial_set"})"), ArtifactKind::kResult);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(Describe(refused.error()),
            "a.json: this is a set of trials, not the result of one replay");
}

}  // namespace
}  // namespace ioflux
