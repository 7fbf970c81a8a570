// SPDX-License-Identifier: GPL-2.0-only
//
// Confinement: turns rewritten target names into paths below the target root, and refuses the ones
// that are not.
//
// Relative names count from the working directory, root or no root. A name is inside the root
// component by component
// (`/rootX` is not inside `/root`); a name with a `..` component is refused. Links are the kernel's
// business (FileRoot), and CheckTargets asks it about every target before anything is touched.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "ioengine/backend/backend.h"
#include "ioengine/backend/file_root.h"

namespace ioflux {

/// kRefused for a target name that a system call would take for another one: what is behind a zero
/// byte would be cut off, and an empty name is none. `source` is the name in the trace.
Result<void> CheckTargetName(const std::string& source, const std::string& name);

/// `name` relative to `root_path`; both may be relative to the working directory. kRefused when it
/// is not inside.
Result<std::string> PathBelowRoot(const std::string& name, const std::string& root_path);

/// Asks the kernel to resolve each target below the root, which may be none. A missing one is fine
/// (it may be created), and so are files and folders. kRefused are pipes and sockets, whose opening
/// waits for another process, and with a root also devices, what leads outside, and what cannot be
/// looked at.
Result<void> CheckTargets(const FileRoot& root, const std::string& root_path,
                          const std::vector<BackendTarget>& targets);

}  // namespace ioflux
