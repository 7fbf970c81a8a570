// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/strace/import_strace.h"

#include <utility>

#include "trace_tools/import/strace/capture_lines.h"
#include "trace_tools/import/strace/strace_importer.h"

namespace ioflux::strace {

Result<ImportedCapture> ImportStrace(std::vector<ByteSource> sources, ModelOptions options) {
  CaptureLines lines(std::move(sources));
  StraceImporter importer(std::move(options));
  IOFLUX_RETURN_IF_ERROR(importer.Import(lines));
  IOFLUX_ASSIGN_OR_RETURN(BuiltTrace trace, importer.Finish());
  return ImportedCapture{std::move(trace), importer.account()};
}

}  // namespace ioflux::strace
