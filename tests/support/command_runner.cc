// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/command_runner.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

namespace ioflux {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) ADD_FAILURE() << "pipe2 failed";
    read_end = ends[0];
    write_end = ends[1];
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    Close(read_end);
    Close(write_end);
  }

  static void Close(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

constexpr int kNotStarted = 127;

[[noreturn]] void BecomeCommand(const Command& command, const Pipe& in, const Pipe& out,
                                const Pipe& err) {
  setpgid(0, 0);
  dup2(in.read_end, STDIN_FILENO);
  dup2(out.write_end, STDOUT_FILENO);
  dup2(err.write_end, STDERR_FILENO);
  for (const auto& [name, value] : command.env) setenv(name.c_str(), value.c_str(), 1);
  if (!command.cwd.empty() && chdir(command.cwd.c_str()) != 0) _exit(kNotStarted);
  std::vector<char*> argv;
  for (const std::string& word : command.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  const std::string_view problem = "cannot start the program\n";
  static_cast<void>(!write(STDERR_FILENO, problem.data(), problem.size()));
  _exit(kNotStarted);
}

void Receive(int& end, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(end, buffer.data(), buffer.size());
  if (got > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  } else if (got == 0 || errno != EINTR) {
    Pipe::Close(end);
  }
}

void Send(int& end, std::string_view& text) {
  const ssize_t sent = write(end, text.data(), text.size());
  if (sent > 0) text.remove_prefix(static_cast<std::size_t>(sent));
  // A program that does not read its input is no failure of the test.
  if (text.empty() || (sent < 0 && errno != EINTR && errno != EAGAIN)) Pipe::Close(end);
}

// Until both outputs are closed or the time is up; false in the latter case.
bool Converse(const Command& command, Pipe& in, Pipe& out, Pipe& err, CommandResult& result) {
  const Clock::time_point end = Clock::now() + command.timeout;
  std::string_view unsent = command.stdin_text;
  if (unsent.empty()) Pipe::Close(in.write_end);
  while (out.read_end >= 0 || err.read_end >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) return false;
    // poll ignores negative descriptors, so closed ends may stay in the set.
    std::array<pollfd, 3> set = {{{.fd = out.read_end, .events = POLLIN, .revents = 0},
                                  {.fd = err.read_end, .events = POLLIN, .revents = 0},
                                  {.fd = in.write_end, .events = POLLOUT, .revents = 0}}};
    if (poll(set.data(), set.size(), static_cast<int>(left.count())) < 0 && errno != EINTR) break;
    if (set[0].revents != 0) Receive(out.read_end, result.out);
    if (set[1].revents != 0) Receive(err.read_end, result.err);
    if (set[2].revents != 0) Send(in.write_end, unsent);
  }
  return true;
}

}  // namespace

CommandResult RunCommand(const Command& command) {
  CommandResult result;
  Pipe in, out, err;
  const pid_t child = fork();
  if (child < 0) {
    ADD_FAILURE() << "fork failed";
    return result;
  }
  if (child == 0) BecomeCommand(command, in, out, err);
  setpgid(child, child);  // in both, whoever runs first
  Pipe::Close(in.read_end);
  Pipe::Close(out.write_end);
  Pipe::Close(err.write_end);
  fcntl(in.write_end, F_SETFL, O_NONBLOCK);
  auto* const previous = std::signal(SIGPIPE, SIG_IGN);
  result.timed_out = !Converse(command, in, out, err, result);
  std::signal(SIGPIPE, previous);
  if (result.timed_out) kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

std::string IofluxBinary() { return IOFLUX_BINARY_DIR "/bin/ioflux"; }

CommandResult RunIoflux(std::vector<std::string> arguments, Command rest) {
  arguments.insert(arguments.begin(), IofluxBinary());
  rest.argv = std::move(arguments);
  return RunCommand(rest);
}

}  // namespace ioflux
