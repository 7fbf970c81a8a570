// SPDX-License-Identifier: GPL-2.0-only
//
// Manual pages made from the same tree of commands and options that makes --help, so the two cannot
// differ.
//
// Pages are named as they are installed: "ioflux", "ioflux-gen", "ioflux-gen-training-read". Hidden
// options and commands (an empty group) are in no page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace ioflux {

/// The names of all pages, a command before its subcommands.
std::vector<std::string> ManPageNames(const CLI::App& root);

/// The page as troff text. An unknown name is a usage error with the nearest one.
Result<std::string> ManPage(const CLI::App& root, std::string_view page_name);

/// Adds the hidden options `--man [PAGE]` and `--man-list`, which print and end the parse.
void AddManOptions(CLI::App& root);

}  // namespace ioflux
