// SPDX-License-Identifier: GPL-2.0-only
//
// TraceHeader: line 1 of a trace. Passive data; which values are legal is the validator's business.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ioflux {

/// Content of one line without its LF may be at most this long.
inline constexpr std::size_t kMaxLineBytes = 16'777'215;

struct Target {
  std::int64_t id = 0;          ///< equals the index in TraceHeader::targets
  std::string name;             ///< path, object key or URI
  std::string kind = "file";    ///< "file" or "object"
  std::int64_t size_bytes = 0;  ///< expected size, 0 = unknown
};

struct TraceSummary {
  std::int64_t num_ops = 0;
  std::int64_t num_streams = 0;
  std::int64_t num_groups = 0;   ///< distinct explicit groups
  std::int64_t total_bytes = 0;  ///< moved by READ, WRITE, GET, PUT
  std::int64_t duration_ns = 0;  ///< `t` of the last op
  std::int64_t num_partial_reads = 0;
};

/// One declared rewrite of the trace, oldest first in the header.
struct LedgerEntry {
  std::string kind;
  std::map<std::string, std::string> params;
  std::string source_digest;
  std::string applied_utc;
  std::string note;
};

struct TraceHeader {
  std::int64_t version = 1;
  std::string kind = "synthetic";  ///< captured, imported, synthetic
  std::string profile;
  std::string generated_by;
  std::string created_utc;
  std::string time_unit = "ns";
  std::string capture_method;
  std::string capture_limitations;
  bool scrubbed = false;
  std::vector<Target> targets;
  TraceSummary summary;
  std::string notes;
  std::vector<LedgerEntry> transformations;
};

/// The smallest version that covers the content: 3 with a ledger, 2 with partial reads, else 1.
std::int64_t NeededVersion(const TraceHeader& header);

}  // namespace ioflux
