// SPDX-License-Identifier: GPL-2.0-only
#include "cli/csv_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "analysis/result_csv.h"
#include "base/byte_sink.h"
#include "cli/command.h"

namespace ioflux {
namespace {

/// A descriptor for one call.
class OpenFile {
 public:
  OpenFile(const std::string& path, int flags)
      : descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// What has to stand between the file as it is and a new row: the header, the end of a line that
/// has none, nothing.
Result<std::string> StartOfRows(int descriptor, const std::string& path) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0)
    return SystemError("cannot look at it", errno, {.path = path});
  const std::string header(CsvHeader());
  if (!S_ISREG(status.st_mode) || status.st_size == 0) return header;
  std::string start(header.size(), '\0');
  const ssize_t got = pread(descriptor, start.data(), start.size(), 0);
  start.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  // Other programs end lines with CR LF.
  const std::string columns = header.substr(0, header.size() - 1);
  const bool ends = start.size() <= columns.size() || start[columns.size()] == '\n' ||
                    start[columns.size()] == '\r';
  if (!start.starts_with(columns) || !ends) {
    return Error{.kind = ErrorKind::kInput,
                 .what = "its first line does not name the columns of results",
                 .where = {.path = path, .line = 1, .item = {}},
                 .mend = "name another file, or a new one"};
  }
  char last = '\n';
  if (pread(descriptor, &last, 1, status.st_size - 1) != 1) last = '\n';
  return std::string(last == '\n' ? "" : "\n");
}

std::string Rows(const std::vector<RunResult>& results) {
  std::string rows;
  for (const RunResult& result : results) rows += CsvRow(result);
  return rows;
}

}  // namespace

Result<void> CheckCsvFile(const std::string& path) {
  if (path.empty() || path == "-") return {};
  const OpenFile file(path, O_RDWR | O_APPEND);
  if (file.get() >= 0) {
    IOFLUX_ASSIGN_OR_RETURN([[maybe_unused]] const std::string start,
                            StartOfRows(file.get(), path));
    return {};
  }
  if (errno != ENOENT) return SystemError("cannot append to it", errno, {.path = path});
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK) == 0) return {};
  return SystemError("cannot make it", errno, {.path = path});
}

Result<void> AppendCsv(const std::string& path, const std::vector<RunResult>& results) {
  if (path.empty() || results.empty()) return {};
  if (path == "-") {
    PrintOut(std::string(CsvHeader()) + Rows(results));
    return {};
  }
  const OpenFile file(path, O_RDWR | O_APPEND | O_CREAT);
  if (file.get() < 0) return SystemError("cannot append to it", errno, {.path = path});
  // Two runs that end together must not both write the header. Where locks are missing, so be it.
  flock(file.get(), LOCK_EX);
  IOFLUX_ASSIGN_OR_RETURN(const std::string start, StartOfRows(file.get(), path));
  return DescriptorSink(file.get(), path).Write(start + Rows(results));
}

}  // namespace ioflux
