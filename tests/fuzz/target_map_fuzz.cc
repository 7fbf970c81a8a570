// SPDX-License-Identifier: GPL-2.0-only
//
// Any bytes as a target map: an error that names the file, or a map that rewrites without surprise.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ioengine/replay/target_map.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ioflux::Result<ioflux::TargetMap> map = ioflux::TargetMap::Parse(text, "fuzz.yaml");
  if (!map) {
    if (map.error().where.path != "fuzz.yaml" || map.error().what.empty()) std::abort();
    return 0;
  }
  for (const ioflux::TargetMap::Rule& rule : map.value().rules()) {
    // A name that starts with a rule's prefix is always matched, by this rule or one that is at
    // least as long.
    const ioflux::Result<std::string> name =
        map.value().Rewrite(rule.from + "x", /*allow_passthrough=*/false);
    if (!name || !name.value().ends_with('x')) std::abort();
    if (name.value().find('\0') != std::string::npos) std::abort();
  }
  return 0;
}
