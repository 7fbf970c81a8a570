// SPDX-License-Identifier: GPL-2.0-only
//
// Equivalence: how much a run was the workload of its source, dimension by dimension, since one
// word for all of it would hide what was changed.
//
//   targets    the same files stay the same, different ones different
//   offsets    where each operation works
//   requested  the lengths asked for
//   returned   the lengths moved
//   order      which operation comes before which
//   form       the calls that were made
//   depth      how many operations are in flight
//   pacing     when operations start
//
// Grades: exact (nothing differs, and what can be measured was), partial (it holds for a part that
// the reason names), altered (it differs as the reason says), not_kept, not_measured.
//
// Threading: pure function over values.
#pragma once

#include <map>
#include <string>

namespace ioflux {

struct RunResult;

struct EquivalenceGrade {
  std::string grade;
  std::string reason;  ///< "" for exact

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("grade", self.grade);
    archive.Optional("reason", self.reason);
  }
};

/// By dimension.
using Equivalence = std::map<std::string, EquivalenceGrade>;

/// The dimensions in the order of a reader.
inline constexpr const char* kEquivalenceDimensions[] = {
    "targets", "offsets", "requested", "returned", "order", "form", "depth", "pacing"};

Equivalence GradeEquivalence(const RunResult& result);

}  // namespace ioflux
