// SPDX-License-Identifier: GPL-2.0-only
//
// UniqueNames: a name for each target that no other target has, since two files of one name would
// be one file to a replay.
//
// Threading: one thread.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace ioflux {

class UniqueNames {
 public:
  /// `wanted`, or if that is taken `wanted#2`, `wanted#3`, …, the first one that is not.
  std::string Take(std::string_view wanted);

 private:
  std::map<std::string, int, std::less<>> taken_;  // and the last number given behind it
};

}  // namespace ioflux
