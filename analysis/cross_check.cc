// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/cross_check.h"

#include <fmt/format.h>

#include <initializer_list>

namespace ioflux {
namespace {

CrossCheckRow Row(const std::string& name, const SideFile& engine,
                  std::initializer_list<const char*> kinds) {
  CrossCheckRow row;
  row.name = name;
  for (const char* kind : kinds) {
    const auto found = engine.ops.find(kind);
    if (found == engine.ops.end()) continue;
    row.engine_ops += found->second.count;
    row.engine_bytes += found->second.bytes;
  }
  return row;
}

void ListDifferences(const CrossCheckRow& row, std::vector<std::string>& differences) {
  if (row.engine_ops != row.fio_ops) {
    differences.push_back(
        fmt::format("{}s: the engine executed {} operations, fio counted {} ({:+})", row.name,
                    row.engine_ops, row.fio_ops, row.fio_ops - row.engine_ops));
  }
  if (row.engine_bytes != row.fio_bytes) {
    differences.push_back(
        fmt::format("{}s: the engine moved {} bytes, fio counted {} bytes ({:+} bytes)", row.name,
                    row.engine_bytes, row.fio_bytes, row.fio_bytes - row.engine_bytes));
  }
}

}  // namespace

CrossCheck CompareCounts(const SideFile& engine, const FioOutput& fio) {
  const FioJob totals = fio.Totals();
  CrossCheckRow read = Row("read", engine, {"READ", "GET"});
  read.fio_ops = totals.read.total_ios;
  read.fio_bytes = totals.read.io_bytes;
  CrossCheckRow write = Row("write", engine, {"WRITE", "PUT"});
  write.fio_ops = totals.write.total_ios;
  write.fio_bytes = totals.write.io_bytes;
  CrossCheckRow sync = Row("sync", engine, {"FSYNC"});
  sync.fio_ops = totals.sync.total_ios;

  CrossCheck check;
  check.rows = {read, write, sync};
  for (const CrossCheckRow& row : check.rows) ListDifferences(row, check.differences);
  if (totals.trim.total_ios != 0) {
    check.differences.push_back(
        fmt::format("fio counted {} trims, which no trace has", totals.trim.total_ios));
  }
  check.agrees = check.differences.empty();
  if (!check.agrees && !engine.complete) {
    check.note =
        "the run was stopped early: an operation in flight at that moment may be counted on one "
        "side only";
  }
  return check;
}

CrossCheck NothingToCompare(const std::string& reason) {
  CrossCheck check;
  check.not_compared = reason.empty() ? "fio left no counts" : reason;
  return check;
}

}  // namespace ioflux
