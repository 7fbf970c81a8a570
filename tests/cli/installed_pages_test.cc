// SPDX-License-Identifier: GPL-2.0-only
//
// The manual pages of the real program: troff takes them without a warning, and they leave out no
// option.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace ioflux {
namespace {

struct ClosePipe {
  void operator()(std::FILE* pipe) const { pclose(pipe); }
};

std::string OutputOf(const std::string& command) {
  const std::unique_ptr<std::FILE, ClosePipe> pipe(popen((command + " 2>&1").c_str(), "r"));
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) {
    output.append(buffer.data(), n);
  }
  return output;
}

const std::string& Program() {
  static const std::string program = IOFLUX_BINARY_DIR "/bin/ioflux";
  return program;
}

std::string PathOf(const std::string& page) {
  return IOFLUX_BINARY_DIR "/share/man/man1/" + page + ".1";
}

std::vector<std::string> PageNames() {
  std::istringstream lines(OutputOf("'" + Program() + "' --man-list"));
  return {std::istream_iterator<std::string>(lines), {}};
}

// The words after the program's name: "ioflux gen training-read" is the command of
// ioflux-gen-training-read. The page's own synopsis tells where a hyphen is a space.
std::string CommandOf(const std::string& roff) {
  std::smatch match;
  if (!std::regex_search(roff, match, std::regex(R"(\.SH SYNOPSIS\n\\fBioflux ?([^\n]*?)\\fR)")))
    return {};
  return std::regex_replace(match[1].str(), std::regex(R"(\\-)"), "-");
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::set<std::string> LongOptions(const std::string& text) {
  static const std::regex kOption(R"((^|[\s,])(--[a-z][a-z0-9-]*))");
  std::set<std::string> options;
  for (std::sregex_iterator it(text.begin(), text.end(), kOption), end; it != end; ++it)
    options.insert((*it)[2]);
  return options;
}

TEST(ManPages, ArePartOfTheBuild) {
  const std::vector<std::string> names = PageNames();
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names.front(), "ioflux");
  for (const std::string& name : names) EXPECT_TRUE(std::filesystem::exists(PathOf(name))) << name;
}

TEST(ManPages, PassGroffWithoutWarnings) {
  if (std::system("command -v groff >/dev/null") != 0) GTEST_SKIP() << "groff is not installed";
  for (const std::string& name : PageNames()) {
    EXPECT_EQ(OutputOf("groff -man -Tutf8 -ww -z '" + PathOf(name) + "'"), "") << name;
  }
}

TEST(ManPages, NameEveryOptionOfHelp) {
  for (const std::string& name : PageNames()) {
    const std::string roff = ReadFile(PathOf(name));
    const std::string help = OutputOf("'" + Program() + "' " + CommandOf(roff) + " --help");
    const std::set<std::string> in_help = LongOptions(help);
    EXPECT_TRUE(in_help.contains("--help")) << name << ":\n" << help;

    const std::string text = std::regex_replace(roff, std::regex(R"(\\-)"), "-");
    for (const std::string& option : in_help) {
      EXPECT_NE(text.find(option), std::string::npos) << name << " does not name " << option;
    }
  }
}

}  // namespace
}  // namespace ioflux
