// SPDX-License-Identifier: GPL-2.0-only
//
// HelpFormat: how --help of every command looks, where CLI11's own way would puzzle a reader.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ioflux {

/// A positional argument in a usage line: NAME, [NAME], NAME..., and NAME [NAME] for one or two.
std::string PositionalUsage(const CLI::Option& option);

class HelpFormat final : public CLI::Formatter {
 public:
  std::string make_option_usage(const CLI::Option* option) const override {
    return PositionalUsage(*option);
  }
  std::string make_option_opts(const CLI::Option* option) const override;
};

}  // namespace ioflux
