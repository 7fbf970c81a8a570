// SPDX-License-Identifier: GPL-2.0-only
#include "cli/host_facts.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ioflux {
namespace {

std::string FirstLineOf(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::string line;
  std::getline(stream, line);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\n')) line.pop_back();
  return line;
}

std::int64_t NumberIn(const std::string& text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Value of `key : value` in a /proc file.
std::string ProcValue(const char* path, const std::string& key) {
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t colon = line.find(':');
    const std::size_t start =
        colon == std::string::npos ? colon : line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

/// The word between brackets of `none [mq-deadline] kyber`, or the whole text.
std::string Chosen(const std::string& text) {
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']', open == std::string::npos ? 0 : open);
  return open == std::string::npos || close == std::string::npos
             ? text
             : text.substr(open + 1, close - open - 1);
}

/// The nearest existing folder at or above `path`.
std::filesystem::path ExistingFolder(const std::string& path) {
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::absolute(path, ignored);
  while (!std::filesystem::is_directory(folder, ignored) && folder.has_relative_path())
    folder = folder.parent_path();
  return folder;
}

void DescribeMount(const std::filesystem::path& folder, HostEnvironment& environment) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0) return;
  const std::string device =
      std::to_string(major(status.st_dev)) + ":" + std::to_string(minor(status.st_dev));
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    // id parent major:minor root mount-point options ... - type source super-options
    std::istringstream words(line);
    std::string id;
    std::string parent;
    std::string number;
    std::string root;
    std::string mount_point;
    std::string options;
    words >> id >> parent >> number >> root >> mount_point >> options;
    if (number != device) continue;
    for (std::string word; words >> word && word != "-";) {
    }
    words >> environment.filesystem_type >> environment.device;
    environment.mount_point = mount_point;
    environment.mount_options = options;
  }
  // A partition's queue belongs to the disk above it.
  std::error_code ignored;
  std::filesystem::path block = std::filesystem::canonical("/sys/dev/block/" + device, ignored);
  if (ignored) return;
  if (!std::filesystem::exists(block / "queue", ignored)) block = block.parent_path();
  environment.device_model = FirstLineOf(block / "device" / "model");
  environment.device_scheduler = Chosen(FirstLineOf(block / "queue" / "scheduler"));
  environment.device_queue_depth = NumberIn(FirstLineOf(block / "queue" / "nr_requests"));
}

void DescribeControlGroup(HostEnvironment& environment) {
  const std::filesystem::path group = "/sys/fs/cgroup";
  environment.memory_limit_bytes = NumberIn(FirstLineOf(group / "memory.max"));
  const std::string cpu = FirstLineOf(group / "cpu.max");
  if (!cpu.starts_with("max")) environment.cpu_limit = cpu;
}

}  // namespace

HostIdentity IdentifyHost() {
  utsname name{};
  uname(&name);
  const std::string machine = name.machine;
  return {.hostname = name.nodename,
          .os = "linux",
          .arch = machine == "x86_64"    ? "amd64"
                  : machine == "aarch64" ? "arm64"
                                         : machine,
          .cpus = sysconf(_SC_NPROCESSORS_ONLN)};
}

HostEnvironment DescribeEnvironment(const std::string& path) {
  HostEnvironment environment;
  utsname name{};
  uname(&name);
  environment.kernel = std::string(name.sysname) + " " + name.release;
  environment.cpu_model = ProcValue("/proc/cpuinfo", "model name");
  environment.cpu_governor = FirstLineOf("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  environment.memory_bytes = NumberIn(ProcValue("/proc/meminfo", "MemTotal")) * 1024;
  DescribeControlGroup(environment);
  if (!path.empty()) DescribeMount(ExistingFolder(path), environment);
  return environment;
}

}  // namespace ioflux
