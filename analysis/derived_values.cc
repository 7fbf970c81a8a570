// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/derived_values.h"

namespace ioflux {
namespace {

double PerSecond(double amount, std::int64_t duration_ns) {
  return duration_ns > 0 ? amount / (static_cast<double>(duration_ns) / 1e9) : 0;
}

}  // namespace

double OpsPerSecond(std::int64_t ops, std::int64_t duration_ns) {
  return PerSecond(static_cast<double>(ops), duration_ns);
}

double GibPerSecond(std::int64_t bytes, std::int64_t duration_ns) {
  return PerSecond(static_cast<double>(bytes) / 1073741824.0, duration_ns);
}

std::string DominantDataOp(const std::vector<OpLatency>& per_op_stats) {
  std::string dominant;
  std::int64_t most = 0;
  for (const char* kind : {"WRITE", "READ", "PUT", "GET"}) {
    for (const OpLatency& op : per_op_stats) {
      if (op.op_type != kind || op.count <= most) continue;
      dominant = kind;
      most = op.count;
    }
  }
  return dominant;
}

}  // namespace ioflux
