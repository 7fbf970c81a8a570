// SPDX-License-Identifier: GPL-2.0-only
#include "cli/engine_library.h"

#include <filesystem>
#include <vector>

namespace ioflux {

Result<std::string> FindEngineLibrary(const std::string& given) {
  std::error_code ignored;
  std::vector<std::filesystem::path> places;
  if (!given.empty()) {
    places.emplace_back(given);
  } else {
    const std::filesystem::path prefix =
        std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
    places.push_back(prefix / "lib" / "libioflux.so");
    places.push_back(prefix / IOFLUX_INSTALL_LIBDIR / "ioflux" / "libioflux.so");
  }
  std::string tried;
  for (const std::filesystem::path& place : places) {
    if (std::filesystem::is_regular_file(place, ignored))
      return std::filesystem::absolute(place, ignored).string();
    tried += (tried.empty() ? "" : ", ") + place.string();
  }
  return Error{
      .kind = ErrorKind::kUnsupported,
      .what = "the fio engine libioflux.so is not there (looked for " + tried + ")",
      .where = {},
      .mend =
          "build it (it needs fio and its source, see README), or name it with --engine-library"};
}

}  // namespace ioflux
