// SPDX-License-Identifier: GPL-2.0-only
//
// TruthModel: from the log of a program's own calls to the operations a trace must hold.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/json_value.h"
#include "trace_tools/format/op.h"
#include "trace_tools/import/op_record.h"

namespace ioflux {

struct ExpectedOp {
  OpKind kind = OpKind::kUnknown;
  std::string name;  ///< last component of the path
  std::int64_t offset = 0;
  std::int64_t length = 0;
  std::int64_t returned = 0;
  bool at_position = false;  ///< the offset is the file position, not an argument
  OpenMode mode = OpenMode::kNone;
  std::vector<std::string> flags;
  int open_file = -1;  ///< which open file, to find its handle

  std::string Text() const;
};

class TruthModel {
 public:
  /// One line of the log.
  void OnCall(const JsonValue& call);

  /// By thread, in order.
  const std::map<std::int64_t, std::vector<ExpectedOp>>& expected() const { return expected_; }
  /// Whether an open file was never duplicated or inherited.
  bool IsSimple(int open_file) const { return !files_[static_cast<std::size_t>(open_file)].shared; }

 private:
  struct File {
    std::string name;
    std::int64_t position = 0;
    bool append = false;
    bool shared = false;
  };
  using Table = std::map<std::int64_t, int>;

  Table& TableOf(std::int64_t pid);
  void OnOpen(const JsonValue& call, std::int64_t number);
  void OnTransfer(const JsonValue& call, int file, const std::string& op);
  void OnSeek(const JsonValue& call, int file);
  void OnCopy(const JsonValue& call, const std::string& op);
  void Move(int file, OpKind kind, std::int64_t offset, bool at_position, std::int64_t length,
            std::int64_t returned);

  std::vector<File> files_;
  std::map<std::string, std::int64_t> sizes_;
  std::map<std::int64_t, Table> tables_;
  std::map<std::int64_t, std::vector<ExpectedOp>> expected_;
  std::int64_t first_pid_ = -1;
  std::int64_t tid_ = 0;
};

}  // namespace ioflux
