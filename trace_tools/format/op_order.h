// SPDX-License-Identifier: GPL-2.0-only
//
// OpOrder: time, streams and op ids of a trace, op by op (families OT and OI).
//
// Cost: constant while op ids rise; see SeenNumbers for the others. Threading: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "trace_tools/format/finding_log.h"
#include "trace_tools/format/int64_map.h"
#include "trace_tools/format/op.h"
#include "trace_tools/format/seen_numbers.h"

namespace ioflux {

class OpOrder {
 public:
  void Check(const Op& op, FindingPlace place, FindingLog& log);

  std::uint64_t streams() const { return streams_; }
  std::uint64_t groups() const { return groups_.size(); }  ///< other than 0
  std::int64_t last_t_ns() const { return last_t_ns_; }    ///< of the last op

 private:
  struct Stream {
    std::int64_t last_op_id = 0;  // of group 0
    bool has_op_id = false;
    bool seen = false;
    bool empty() const { return !seen; }
  };

  void CheckTime(const Op& op, FindingPlace place, FindingLog& log);
  void CheckOpId(const Op& op, Stream& stream, FindingPlace place, FindingLog& log);
  Stream& StreamOf(std::int64_t number);
  // The op id before this one in its stream and group; where to note this one.
  std::pair<std::int64_t*, bool> LastOpId(const Op& op, Stream& stream);

  static constexpr std::int64_t kTableStreams = 65'536;

  std::int64_t latest_t_ns_ = INT64_MIN;
  std::int64_t last_t_ns_ = 0;
  std::uint64_t streams_ = 0;
  std::vector<Stream> stream_table_;  // streams 0 to kTableStreams - 1, as far as needed
  Int64Map<Stream> other_streams_;
  std::set<std::int64_t> groups_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> last_op_id_in_group_;
  SeenNumbers op_ids_;
};

}  // namespace ioflux
