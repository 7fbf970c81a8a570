// SPDX-License-Identifier: GPL-2.0-only
//
// Page: the lines of a text report under construction.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

namespace ioflux {

class Page {
 public:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  void Blank() { text_ += '\n'; }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace ioflux
