// SPDX-License-Identifier: GPL-2.0-only
#include "tests/trace_tools/import/truth_model.h"

#include <fcntl.h>

#include <algorithm>

namespace ioflux {
namespace {

std::int64_t Int(const JsonValue& call, const char* key, std::int64_t fallback = 0) {
  return call.GetIntOr(key, fallback).value();
}

int HexDigit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

std::string PathOf(const JsonValue& call) {
  if (call.Has("path")) return call.GetString("path").value();
  const std::string hex = call.GetStringOr("path_hex", "").value();
  std::string path;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    path += static_cast<char>(HexDigit(hex[i]) * 16 + HexDigit(hex[i + 1]));
  }
  return path;
}

std::string LastComponent(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool IsPositional(const std::string& op) { return op.starts_with("p") && op != "pipe2"; }

}  // namespace

std::string ExpectedOp::Text() const {
  std::string text(NameOf(kind));
  text += " " + name;
  if (kind == OpKind::kREAD || kind == OpKind::kWRITE) {
    text += " off " + std::to_string(offset) + " len " + std::to_string(length) + " ret " +
            std::to_string(returned);
  }
  text += std::string(mode == OpenMode::kNone ? "" : " ") + std::string(TextOf(mode));
  for (const std::string& flag : flags) text += " " + flag;
  return text;
}

// A process that shows up has what the first one has: all of these programs fork from there.
TruthModel::Table& TruthModel::TableOf(std::int64_t pid) {
  if (first_pid_ < 0) first_pid_ = pid;
  const auto known = tables_.find(pid);
  if (known != tables_.end()) return known->second;
  Table& table = tables_[pid];
  if (pid != first_pid_) {
    table = tables_[first_pid_];
    for (const auto& [number, file] : table) {
      if (file >= 0) files_[static_cast<std::size_t>(file)].shared = true;
    }
  }
  return table;
}

void TruthModel::OnOpen(const JsonValue& call, std::int64_t number) {
  const std::string path = PathOf(call);
  const bool creat = call.GetString("op").value() == "creat";
  const std::int64_t flags = creat ? O_WRONLY | O_CREAT | O_TRUNC : Int(call, "flags");
  Table& table = TableOf(Int(call, "pid"));
  if ((flags & O_DIRECTORY) != 0 || path.starts_with("/dev/")) {
    table[number] = -1;
    return;
  }
  const std::string name = LastComponent(path);
  const auto index = static_cast<int>(files_.size());
  files_.push_back({.name = name, .append = (flags & O_APPEND) != 0});
  table[number] = index;
  if ((flags & (O_TRUNC | O_EXCL)) != 0) sizes_[name] = 0;

  ExpectedOp open{.kind = OpKind::kOPEN, .name = name, .flags = {}, .open_file = index};
  const std::int64_t access = flags & O_ACCMODE;
  open.mode = access == O_RDONLY   ? OpenMode::kRead
              : access == O_WRONLY ? OpenMode::kWrite
                                   : OpenMode::kReadWrite;
  if ((flags & O_CREAT) != 0) open.flags.emplace_back("create");
  // A file that was not there is as good as emptied.
  if ((flags & (O_TRUNC | O_EXCL)) != 0) open.flags.emplace_back("trunc");
  if ((flags & O_APPEND) != 0) open.flags.emplace_back("append");
  expected_[tid_].push_back(open);
}

void TruthModel::Move(int file, OpKind kind, std::int64_t offset, bool at_position,
                      std::int64_t length, std::int64_t returned) {
  File& state = files_[static_cast<std::size_t>(file)];
  if (at_position) state.position = offset + returned;
  std::int64_t& size = sizes_[state.name];
  if (kind == OpKind::kWRITE) size = std::max(size, offset + returned);
  ExpectedOp op{.kind = kind, .name = state.name, .flags = {}, .open_file = file};
  op.offset = offset;
  op.length = length;
  op.returned = returned;
  op.at_position = at_position;
  expected_[tid_].push_back(op);
}

void TruthModel::OnTransfer(const JsonValue& call, int file, const std::string& op) {
  const File& state = files_[static_cast<std::size_t>(file)];
  const bool writes = op.find("write") != std::string::npos;
  const std::int64_t returned = Int(call, "ret");
  constexpr std::int64_t kRwfAppend = 0x10;
  const bool appends = writes && (state.append || (IsPositional(op) && op.ends_with('2') &&
                                                   (Int(call, "flags") & kRwfAppend) != 0));
  const std::int64_t argument = Int(call, "off", -1);
  bool at_position = !IsPositional(op) || argument < 0;
  std::int64_t offset = at_position ? state.position : argument;
  if (appends) offset = sizes_[state.name];
  const std::int64_t length = writes ? returned : Int(call, "len");
  Move(file, writes ? OpKind::kWRITE : OpKind::kREAD, offset, at_position, length, returned);
}

void TruthModel::OnSeek(const JsonValue& call, int file) {
  files_[static_cast<std::size_t>(file)].position = Int(call, "ret");
}

// copy_file_range, sendfile and splice: what moved, on each side that is a file.
void TruthModel::OnCopy(const JsonValue& call, const std::string& op) {
  const std::int64_t moved = Int(call, "ret");
  if (moved == 0) return;
  Table& table = TableOf(Int(call, "pid"));
  const bool sendfile = op == "sendfile";
  const std::int64_t in = Int(call, sendfile ? "in_fd" : "fd");
  const std::int64_t out = Int(call, sendfile ? "fd" : "out_fd");
  const auto one_side = [&](std::int64_t number, std::int64_t argument, OpKind kind) {
    const auto found = table.find(number);
    if (found == table.end() || found->second < 0) return;
    const bool at_position = argument < 0;
    const std::int64_t offset =
        at_position ? files_[static_cast<std::size_t>(found->second)].position : argument;
    Move(found->second, kind, offset, at_position, moved, moved);
  };
  one_side(in, Int(call, sendfile ? "off" : "in_off", -1), OpKind::kREAD);
  one_side(out, sendfile ? -1 : Int(call, "out_off", -1), OpKind::kWRITE);
}

void TruthModel::OnCall(const JsonValue& call) {
  const std::string op = call.GetString("op").value();
  const std::int64_t ret = Int(call, "ret");
  tid_ = Int(call, "tid");
  Table& table = TableOf(Int(call, "pid"));
  if (ret < 0) return;
  if (op == "open" || op == "openat" || op == "creat") return OnOpen(call, ret);
  if (op == "copy_file_range" || op == "sendfile" || op == "splice") return OnCopy(call, op);
  if (op == "pipe2") {
    table[Int(call, "rfd")] = -1;
    table[Int(call, "wfd")] = -1;
    return;
  }
  const auto found = table.find(Int(call, "fd", -1));
  if (found == table.end()) return;
  const int file = found->second;
  if (op == "dup" || op == "dup2" || op == "dup3" || op == "fcntl") {
    if (file >= 0) files_[static_cast<std::size_t>(file)].shared = true;
    table[ret] = file;
    return;
  }
  if (op == "close") table.erase(found);
  if (file < 0) return;
  const std::string name = files_[static_cast<std::size_t>(file)].name;
  if (op == "close") {
    if (IsSimple(file)) {
      expected_[tid_].push_back(
          {.kind = OpKind::kCLOSE, .name = name, .flags = {}, .open_file = file});
    }
  } else if (op == "lseek") {
    OnSeek(call, file);
  } else if (op == "ftruncate") {
    sizes_[name] = Int(call, "len");
  } else if (op == "fsync" || op == "fdatasync") {
    expected_[tid_].push_back(
        {.kind = OpKind::kFSYNC, .name = name, .flags = {}, .open_file = file});
  } else if (op.find("read") != std::string::npos || op.find("write") != std::string::npos) {
    if (!op.starts_with("aio_") && !op.starts_with("uring_")) OnTransfer(call, file, op);
  }
}

}  // namespace ioflux
