// SPDX-License-Identifier: GPL-2.0-only
//
// Settings in messages: the same setting is `--target-root DIR` to a user of ioflux and
// `target_root=DIR` to a user of fio. Messages are written with flags; what leaves the engine has
// options, and what ioflux shows of it has flags again.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace ioflux {

/// `use --prepare none, or --target-root` becomes `use prepare=none, or target_root`. A value is
/// what follows a flag and is one of its words, a name in capitals or a number; a switch gets `=1`.
/// Flags that are no setting stay.
std::string FlagsToOptions(std::string_view text);

/// The way back: `prepare=none` becomes `--prepare none`, and a name with an underscore (`max_lag`)
/// its flag. Only whole words, so that names of files stay as they are.
std::string OptionsToFlags(std::string_view text);

}  // namespace ioflux
