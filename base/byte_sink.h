// SPDX-License-Identifier: GPL-2.0-only
//
// ByteSink: where output bytes go. A writer does not know whether it fills a file that appears
// atomically, standard output or a string.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ioflux {

class ByteSink {
 public:
  virtual ~ByteSink() = default;

  /// Takes all of `bytes` or reports why not.
  virtual Result<void> Write(std::string_view bytes) = 0;
};

class StringSink final : public ByteSink {
 public:
  Result<void> Write(std::string_view bytes) override {
    text_.append(bytes);
    return {};
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Writes to a descriptor it does not own (standard output), retrying EINTR and short writes.
class DescriptorSink final : public ByteSink {
 public:
  DescriptorSink(int descriptor, std::string name)
      : descriptor_(descriptor), name_(std::move(name)) {}
  Result<void> Write(std::string_view bytes) override;

 private:
  int descriptor_;
  std::string name_;
};

}  // namespace ioflux
