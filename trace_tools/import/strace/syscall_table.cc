// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/strace/syscall_table.h"

#include <array>
#include <unordered_map>

namespace ioflux::strace {
namespace {

constexpr auto kSyscalls = std::to_array<SyscallInfo>({
#define IOFLUX_SYSCALL(name, reader, descriptors, becomes) \
  {#name, SyscallReader::k##reader, descriptors, becomes},
#include "trace_tools/import/strace/syscalls.def"
#undef IOFLUX_SYSCALL
});

}  // namespace

std::span<const SyscallInfo> AllSyscalls() { return kSyscalls; }

std::uint16_t FindSyscall(std::string_view name) {
  static const auto index = [] {
    std::unordered_map<std::string_view, std::uint16_t> by_name;
    for (std::uint16_t i = 0; i < kSyscalls.size(); ++i) by_name.emplace(kSyscalls[i].name, i);
    return by_name;
  }();
  const auto found = index.find(name);
  return found == index.end() ? static_cast<std::uint16_t>(kSyscalls.size()) : found->second;
}

}  // namespace ioflux::strace
