// SPDX-License-Identifier: GPL-2.0-only
#include "tests/ioengine/replay/trace_text.h"

#include <fmt/format.h>

namespace ioflux {

std::string TraceText(const std::vector<TextTarget>& targets, const std::vector<std::string>& ops,
                      int streams, int partial) {
  std::string list;
  for (std::size_t id = 0; id < targets.size(); ++id) {
    list += fmt::format(R"({}{{"id":{},"name":"{}","kind":"file","size":{}}})", id == 0 ? "" : ",",
                        id, targets[id].name, targets[id].size_bytes);
  }
  std::string text = fmt::format(
      R"({{"ioflux_trace_version":{},"kind":"synthetic","time_unit":"ns","capture_method":"synthetic",)"
      R"("scrubbed":false,"targets":[{}],"summary":{{"num_ops":{},"num_streams":{},"num_groups":0,)"
      R"("total_bytes":0,"duration_ns":0,"num_partial_reads":{}}}}})",
      partial > 0 ? 2 : 1, list, ops.size(), streams, partial);
  text += "\n";
  for (const std::string& op : ops) text += op + "\n";
  return text;
}

}  // namespace ioflux
