// SPDX-License-Identifier: GPL-2.0-only
//
// What the engine shows to fio. fio resolves names in one flat space, so one export too many may
// stand in for a function of fio's own.
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ioflux {
namespace {

struct ClosePipe {
  void operator()(std::FILE* pipe) const { pclose(pipe); }
};

std::string OutputOf(const std::string& command) {
  const std::unique_ptr<std::FILE, ClosePipe> pipe(popen(command.c_str(), "r"));
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) {
    output.append(buffer.data(), n);
  }
  return output;
}

TEST(EngineSymbols, ExportExactlyGetIoengine) {
  const std::string library = IOFLUX_BINARY_DIR "/lib/libioflux.so";
  if (!std::filesystem::exists(library))
    GTEST_SKIP() << "the engine is not built (IOFLUX_ENGINE=OFF)";

  std::istringstream lines(OutputOf("nm -D --defined-only '" + library + "'"));
  std::vector<std::string> names;
  for (std::string address, type, name; lines >> address >> type >> name;) names.push_back(name);

  EXPECT_THAT(names, ::testing::ElementsAre("get_ioengine"));
}

}  // namespace
}  // namespace ioflux
