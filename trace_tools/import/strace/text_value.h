// SPDX-License-Identifier: GPL-2.0-only
//
// What the text of an argument means: numbers, flag words, strings, structure members, descriptors.
//
// Threading: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "trace_tools/import/model/path_calls.h"
#include "trace_tools/import/model/source_model.h"

namespace ioflux::strace {

/// Values of kernel_constant.def, `constant::O_CREAT`.
namespace constant {
#define IOFLUX_CONSTANT(name, value) inline constexpr std::uint64_t k_##name = value;
#include "trace_tools/import/strace/kernel_constant.def"
#undef IOFLUX_CONSTANT
}  // namespace constant

/// A whole number (decimal, 0x…, or octal with a leading 0), also with a comment (-X verbose) or
/// with what -y shows behind it.
std::optional<std::int64_t> ParseNumber(std::string_view text);
/// The same, nothing when negative.
std::optional<std::uint64_t> ParseCount(std::string_view text);

/// `O_RDWR|O_CREAT`, `0x42`, `0x42 /* O_RDWR|O_CREAT */`. Words nobody asks for count as 0.
std::uint64_t ParseFlags(std::string_view text);
/// Like ParseFlags for one name (`SEEK_END`, `0x2`); nothing when it is neither known nor a
/// number.
std::optional<std::uint64_t> ParseConstant(std::string_view text);

/// `"text"` or `"text"...` decoded to bytes; nothing for NULL, a pointer or what holds a NUL.
std::optional<std::string> ParseString(std::string_view text);
/// C escapes as strace writes them.
std::string DecodeEscapes(std::string_view text);

/// `3</data/a>` or `3`.
DescriptorUse ParseDescriptor(std::string_view text);
/// `AT_FDCWD</data>`, `3</data>`.
DirectoryUse ParseDirectory(std::string_view text);
/// `</data/a>(deleted)` with its brackets.
ShownName ParseShownName(std::string_view shown);

/// The value of `name=` in a structure, outside strings; empty if there is none.
std::string_view FieldOf(std::string_view structure, std::string_view name);

/// Σ iov_len of `[{iov_base="…", iov_len=8}, …]`; nothing unless all `count` elements are printed.
std::optional<std::uint64_t> SumOfVector(std::string_view text, std::uint64_t count);

/// 5000 of `[5000] => [15000]`; nothing for NULL.
std::optional<std::uint64_t> ParsePointedNumber(std::string_view text);

/// The two descriptors of `[3<pipe:[1]>, 4<pipe:[1]>]`.
std::optional<std::pair<DescriptorUse, DescriptorUse>> ParseDescriptorPair(std::string_view text);

/// Of `st_mode=S_IFREG|0644`.
std::optional<FileKind> ParseFileKind(std::string_view mode_text);

}  // namespace ioflux::strace
