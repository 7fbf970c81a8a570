// SPDX-License-Identifier: GPL-2.0-only
//
// Documents of the checkout, taken apart so that a test can run what they show.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ioflux {

/// ```WORD … ``` of a Markdown text.
struct FencedBlock {
  std::string word;
  std::string text;  ///< whole lines
};

/// In the order of the text.
std::vector<FencedBlock> FencedBlocks(std::string_view markdown);

/// The command that an indented block begins with `words`, with the lines it is continued on;
/// without the indent. A document that has none is a test failure and "".
std::string IndentedCommand(std::string_view markdown, std::string_view words);

/// Content of a file of the checkout, by its path there.
std::string SourceFile(std::string_view path);

}  // namespace ioflux
