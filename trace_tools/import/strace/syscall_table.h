// SPDX-License-Identifier: GPL-2.0-only
//
// The calls this importer knows (syscalls.def).
//
// Threading: immutable.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ioflux::strace {

/// Which function of CallReader reads a call.
enum class SyscallReader : std::uint8_t {
#define IOFLUX_READER(name) k##name,
#include "trace_tools/import/strace/syscall_reader.def"
#undef IOFLUX_READER
};

struct SyscallInfo {
  std::string_view name;
  SyscallReader reader;
  std::uint8_t descriptors;  ///< bit n: argument n is looked up when the call begins
  std::string_view becomes;
};

std::span<const SyscallInfo> AllSyscalls();

/// Index into AllSyscalls(); its size for a name that is not there.
std::uint16_t FindSyscall(std::string_view name);

}  // namespace ioflux::strace
