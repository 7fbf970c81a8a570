// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/side_file.h"

#include "analysis/artifact.h"

namespace ioflux {
namespace {

Result<void> CheckVersion(const JsonValue& document) {
  IOFLUX_ASSIGN_OR_RETURN(const std::int64_t version, document.GetInt("side_file_version"));
  if (version == kSideFileVersion) return {};
  return Error{.kind = ErrorKind::kUnsupported,
               .what = "side file version " + std::to_string(version) +
                       " is not known (known: " + std::to_string(kSideFileVersion) + ")",
               .where = document.where(),
               .mend = "use an engine and a command of the same ioflux version"};
}

}  // namespace

Result<SideFile> DecodeSideFile(const JsonValue& document) {
  IOFLUX_RETURN_IF_ERROR(ExpectArtifact(document, ArtifactKind::kSideFile));
  IOFLUX_RETURN_IF_ERROR(CheckVersion(document));
  SideFile file;
  IOFLUX_RETURN_IF_ERROR(FromJson(document, FieldOrigin::kOwn, file));
  if (file.end_ns < file.start_ns) return document.ErrorHere("`end_ns` is before `start_ns`");
  for (const auto& [kind, op] : file.ops) {
    if (op.errors > op.count) {
      return document.ErrorHere(kind + " has more errors than operations");
    }
  }
  return file;
}

Result<SideFile> ReadSideFile(const std::string& path) {
  IOFLUX_ASSIGN_OR_RETURN(const JsonValue document, JsonValue::Load(path));
  return DecodeSideFile(document);
}

}  // namespace ioflux
