// SPDX-License-Identifier: GPL-2.0-only
#include "base/regular_file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

std::string RefusalOf(const std::string& path) {
  const Result<void> checked = CheckRegularFile(path, "the trace");
  if (checked) return "fine";
  EXPECT_EQ(checked.error().kind, ErrorKind::kIo);
  return checked.error().what;
}

void MakeSocket(const std::string& path) {
  const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address), 0) << path;
  close(descriptor);
}

TEST(RegularFile, AcceptsFilesAndLinksToThem) {
  const TempDir dir;
  dir.Write("file", "");
  std::filesystem::create_symlink("file", dir / "link");

  EXPECT_EQ(RefusalOf(dir / "file"), "fine");
  EXPECT_EQ(RefusalOf(dir / "link"), "fine");
}

TEST(RegularFile, NamesEveryOtherKind) {
  const TempDir dir;
  ASSERT_EQ(mkfifo((dir / "pipe").c_str(), 0600), 0);
  MakeSocket(dir / "socket");
  std::filesystem::create_symlink("pipe", dir / "link");
  const std::string why = ": it is read more than once, so it must be a regular file";

  EXPECT_EQ(RefusalOf(dir / "pipe"), "the trace cannot be a named pipe" + why);
  EXPECT_EQ(RefusalOf(dir / "link"), "the trace cannot be a named pipe" + why);
  EXPECT_EQ(RefusalOf(dir / "socket"), "the trace cannot be a socket" + why);
  EXPECT_EQ(RefusalOf(dir.path()), "the trace cannot be a folder" + why);
  EXPECT_EQ(RefusalOf("/dev/null"), "the trace cannot be a character device" + why);
  EXPECT_EQ(RefusalOf("-"), "the trace cannot be standard input" + why);
  EXPECT_EQ(FileKindText(S_IFBLK | 0600), "a block device");
}

// What `<(command)` of a shell stands for.
TEST(RegularFile, APipeOfAShellIsAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);

  EXPECT_NE(RefusalOf("/dev/fd/" + std::to_string(ends[0])).find("a named pipe"),
            std::string::npos);
  close(ends[0]);
  close(ends[1]);
}

TEST(RegularFile, SaysWhatIsMissing) {
  const TempDir dir;
  EXPECT_NE(RefusalOf(dir / "absent").find("cannot open the trace"), std::string::npos);
}

}  // namespace
}  // namespace ioflux
