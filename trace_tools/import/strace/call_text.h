// SPDX-License-Identifier: GPL-2.0-only
//
// CallText: `name(arguments) = result <duration>` taken apart.
//
// Commas, brackets and `) =` inside strings, structures, comments and the names that -y shows after
// descriptors do not end anything. Nothing is copied or decoded.
//
// Threading: pure functions. Views point into the text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "trace_tools/import/op_record.h"

namespace ioflux::strace {

/// The arguments of a call; beyond kMostArguments they are counted, not kept.
class Arguments {
 public:
  static constexpr std::size_t kMostArguments = 10;

  std::size_t size() const { return count_; }
  /// Empty when there is no such argument. Without the `name=` of -N.
  std::string_view operator[](std::size_t index) const {
    return index < count_ && index < kMostArguments ? texts_[index] : std::string_view();
  }
  /// The argument that strace writes as `name=`; empty when there is none.
  std::string_view Named(std::string_view name) const;
  void Add(std::string_view text);

 private:
  std::array<std::string_view, kMostArguments> texts_;
  std::array<std::string_view, kMostArguments> names_;
  std::size_t count_ = 0;
};

struct CallResult {
  std::string_view text;              ///< as written, without the duration
  bool unknown = false;               ///< `?`: the call did not return, or will be restarted
  std::optional<std::int64_t> value;  ///< absent when unknown or no integer
  std::string_view shown;             ///< what -y shows of a descriptor that is the result
  std::string_view error;             ///< "ENOENT", empty unless the value is -1
  std::int64_t duration_ns = kNoDuration;
};

struct CallText {
  std::string_view name;
  Arguments arguments;
  CallResult result;
};

enum class CallForm : std::uint8_t {
  kComplete,
  kTorn,      ///< begins like a call and does not end like one
  kNotACall,  ///< does not begin with `name(`
};

/// Takes `body` (a line without its head, blanks trimmed) apart.
CallForm ParseCall(std::string_view body, CallText& call);

/// The arguments of a call that is cut off after some of them: `name(` and what follows.
CallForm ParseCutCall(std::string_view body, CallText& call);

/// Only the name: for lines that nobody needs more of.
std::string_view NameOfCall(std::string_view body);

/// Result and duration of a call nobody needs the arguments of, found from the end of the line.
CallForm ParseResultOnly(std::string_view body, CallResult& result);

/// Bytes of the quoted string at the start of `text`, quotes included; all of it if it never ends.
std::size_t QuotedBytes(std::string_view text);

/// Bytes of `<...>` at the start of `text`, brackets included; 0 if it is not what -y shows.
std::size_t ShownBytes(std::string_view text);

/// A decimal (`0.000065`) as nanoseconds, exact; digits beyond nanoseconds are cut.
std::optional<std::int64_t> ParseSeconds(std::string_view text);

}  // namespace ioflux::strace
