// SPDX-License-Identifier: GPL-2.0-only
#include "cli/help_format.h"

namespace ioflux {

std::string PositionalUsage(const CLI::Option& option) {
  const std::string name = option.get_name(/*positional=*/true);
  std::string usage = name;
  if (option.get_expected_max() >= CLI::detail::expected_max_vector_size) {
    usage += "...";
  } else {
    for (int i = 1; i < option.get_expected_max(); ++i) usage += " [" + name + "]";
  }
  return option.get_required() ? usage : "[" + usage + "]";
}

// The usage line has said already how often a positional argument may stand and whether it must.
std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  return option->get_positional() ? "" : Formatter::make_option_opts(option);
}

}  // namespace ioflux
