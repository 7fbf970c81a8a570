// SPDX-License-Identifier: GPL-2.0-only
//
// SourceModel: everything an importer knows of the machine its source ran on, and where it puts
// what it learns. One per import; the classes named ...Calls work on it.
//
// Threading: one thread.
#pragma once

#include <string>
#include <string_view>

#include "trace_tools/import/import_account.h"
#include "trace_tools/import/model/file_namespace.h"
#include "trace_tools/import/model/open_file.h"
#include "trace_tools/import/model/task_table.h"
#include "trace_tools/import/path_filter.h"
#include "trace_tools/import/trace_builder.h"

namespace ioflux {

struct ModelOptions {
  bool strict = false;            ///< leave out what would have to be guessed
  bool drop_eof_reads = false;    ///< leave out reads that returned nothing
  bool resolved_names = false;    ///< name targets as the kernel does, if the source tells
  std::string start_directory{};  ///< where the source started, "" if unknown
  PathFilter filter{};
};

/// What a source shows of a descriptor beside its number (strace -y).
struct ShownName {
  FileKind kind = FileKind::kUnknown;
  std::string path;  ///< absolute; empty for what has none
  bool deleted = false;
};

/// A descriptor as a call names it.
struct DescriptorUse {
  std::int64_t number = -1;
  std::string_view shown;  ///< as the source writes it; empty if it shows nothing
  OpenFilePtr pinned;      ///< what the number meant when the call began, for a call told in parts
};

struct SourceModel {
  SourceModel(ModelOptions model_options, ShownName (*read_shown_name)(std::string_view))
      : options(std::move(model_options)), read_shown(read_shown_name), names(options.filter) {
    if (!options.start_directory.empty()) names.LearnStart(options.start_directory);
  }

  ModelOptions options;
  ShownName (*read_shown)(std::string_view);  ///< understands DescriptorUse::shown
  FileNamespace names;
  TaskTable tasks;
  TraceBuilder builder;
  ImportAccount account;
  const std::string* excluded_by = nullptr;  ///< the pattern behind the last Reason::kExcluded
};

}  // namespace ioflux
