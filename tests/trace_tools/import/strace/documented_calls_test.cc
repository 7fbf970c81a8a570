// SPDX-License-Identifier: GPL-2.0-only
//
// The table of calls in docs/import-strace.md is the one in the code.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "trace_tools/import/strace/syscall_table.h"

namespace ioflux::strace {
namespace {

// One row for each thing that calls become, in the order of syscalls.def.
std::string TableOfCalls() {
  std::vector<std::string_view> order;
  std::map<std::string_view, std::string> names;
  for (const SyscallInfo& syscall : AllSyscalls()) {
    std::string& row = names[syscall.becomes];
    if (row.empty()) order.push_back(syscall.becomes);
    row += (row.empty() ? "`" : " `") + std::string(syscall.name) + "`";
  }
  std::string table = "| calls | become |\n|---|---|\n";
  for (const std::string_view becomes : order) {
    table += "| " + names[becomes] + " | " + std::string(becomes) + " |\n";
  }
  return table;
}

TEST(DocumentedCalls, TheTableInTheDocumentIsTheOneInTheCode) {
  std::ifstream file(std::string(IOFLUX_SOURCE_DIR) + "/docs/import-strace.md");
  std::stringstream text;
  text << file.rdbuf();

  EXPECT_NE(text.str().find(TableOfCalls()), std::string::npos) << "the document should hold:\n"
                                                                << TableOfCalls();
}

}  // namespace
}  // namespace ioflux::strace
