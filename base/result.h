// SPDX-License-Identifier: GPL-2.0-only
//
// Result<T>: a value, or the Error that explains why there is none.
//
//   Result<Trace> trace = Load(path);
//   if (!trace) return trace.error();          // hand it up unchanged
//   Use(trace.value());
//
// or, shorter, with the two macros below. Ignoring a Result is a compiler warning.
#pragma once

#include <cassert>
#include <optional>
#include <utility>
#include <variant>

#include "base/error.h"

namespace ioflux {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: meant to be implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  /// Only when ok().
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }

  /// Only when not ok().
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value: `return {};`.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: meant to be implicit

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace ioflux

#define IOFLUX_CONCAT_INNER_(a, b) a##b
#define IOFLUX_CONCAT_(a, b) IOFLUX_CONCAT_INNER_(a, b)

/// Evaluates a Result and returns its error from the enclosing function, if it has one.
#define IOFLUX_RETURN_IF_ERROR(expression)                                                  \
  do {                                                                                      \
    if (auto ioflux_result_ = (expression); !ioflux_result_) return ioflux_result_.error(); \
  } while (false)

/// `IOFLUX_ASSIGN_OR_RETURN(auto x, F());` declares x with F's value, or returns F's error.
#define IOFLUX_ASSIGN_OR_RETURN(declaration, expression) \
  IOFLUX_ASSIGN_OR_RETURN_IMPL_(IOFLUX_CONCAT_(ioflux_result_, __LINE__), declaration, expression)
#define IOFLUX_ASSIGN_OR_RETURN_IMPL_(result, declaration, expression) \
  auto result = (expression);                                          \
  if (!result) return result.error();                                  \
  declaration = std::move(result).value()
