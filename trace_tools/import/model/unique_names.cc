// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/model/unique_names.h"

namespace ioflux {

std::string UniqueNames::Take(std::string_view wanted) {
  const auto [name, added] = taken_.try_emplace(std::string(wanted), 1);
  if (added) return name->first;
  // The source may have a file of the numbered name, too.
  std::string numbered;
  do {
    numbered = name->first + "#" + std::to_string(++name->second);
  } while (!taken_.try_emplace(numbered, 1).second);
  return numbered;
}

}  // namespace ioflux
