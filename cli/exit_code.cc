// SPDX-License-Identifier: GPL-2.0-only
#include "cli/exit_code.h"

namespace ioflux {

std::string ExitCodeHelp() {
  std::string text = "Exit status:\n";
#define IOFLUX_EXIT_CODE(name, number, meaning) text += "  " #number "  " meaning "\n";
#include "cli/exit_code.def"
#undef IOFLUX_EXIT_CODE
  return text;
}

}  // namespace ioflux
