// SPDX-License-Identifier: GPL-2.0-only
//
// OpOrder: time, streams and op ids of a trace, op by op (families OT and OI).
//
// Cost: constant while op ids rise; see SeenNumbers for the others. Threading: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "trace_tools/format/finding_log.h"
#include "trace_tools/format/int64_map.h"
#include "trace_tools/format/op.h"
#include "trace_tools/format/seen_numbers.h"

namespace ioflux {

class OpOrder {
 public:
  void Check(const Op& op, FindingPlace place, FindingLog& log) {
    Stream& stream = StreamOf(op.stream);
    const bool quiet = op.t_ns >= latest_t_ns_ && op.t_ns >= 0 && op.stream >= 0 && stream.seen &&
                       op.HasAll(kExpectedFields);
    if (quiet) [[likely]] {
      latest_t_ns_ = op.t_ns;
    } else {
      CheckTimeAndStream(op, stream, place, log);
    }
    last_t_ns_ = op.t_ns;
    CheckOpId(op, stream, place, log);
  }

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

  // The op id before this one in its stream and group, and where to note this one.
  struct LastOpId {
    std::int64_t* op_id;
    bool is_first;
  };

  static constexpr std::size_t kTableStreams = 65'536;
  static constexpr std::uint16_t kExpectedFields =
      static_cast<std::uint16_t>(OpField::kTime) | static_cast<std::uint16_t>(OpField::kStream);

  Stream& StreamOf(std::int64_t number) {
    const auto index = static_cast<std::size_t>(number);  // a negative one is large
    return index < stream_table_.size() ? stream_table_[index] : NewOrOtherStream(number);
  }
  Stream& NewOrOtherStream(std::int64_t number);

  void CheckOpId(const Op& op, Stream& stream, FindingPlace place, FindingLog& log) {
    const bool quiet = op.Has(OpField::kOpId) && op.op_id >= 0 && op.group == 0 &&
                       op.op_id > stream.last_op_id && stream.has_op_id &&
                       op_ids_.Extend(op.op_id, place.line);
    if (quiet) [[likely]] {
      stream.last_op_id = op.op_id;
    } else {
      CheckOpIdInFull(op, stream, place, log);
    }
  }
  LastOpId LastOpIdOf(const Op& op, Stream& stream);

  // Every rule in its order; the functions above only know when there is nothing to say.
  void CheckTimeAndStream(const Op& op, Stream& stream, FindingPlace place, FindingLog& log);
  void CheckOpIdInFull(const Op& op, Stream& stream, FindingPlace place, FindingLog& log);

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
