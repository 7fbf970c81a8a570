// SPDX-License-Identifier: GPL-2.0-only
//
// Rooms: the folders of the house and what each may include.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace ioflux::layout {

struct Room {
  std::string_view folder;
  // What its files may include besides the room's own: prefixes of paths, a folder with its slash
  // or a file.
  std::vector<std::string_view> may_include;
  bool may_print = false;  // standard output, standard error and the end of the process
};

/// The whole table.
std::span<const Room> Rooms();

/// The innermost room that holds `path`; null when no room does.
const Room* RoomOf(std::string_view path);

/// True when a file of `room` may include `target`, a path from the root.
bool MayInclude(const Room& room, std::string_view target);

}  // namespace ioflux::layout
