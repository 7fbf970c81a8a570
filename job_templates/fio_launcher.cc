// SPDX-License-Identifier: GPL-2.0-only
#include "job_templates/fio_launcher.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>

namespace ioflux {
namespace {

constexpr int kTickMs = 100;
constexpr std::size_t kKeptMessageBytes = 64 << 10;

std::vector<std::string> CommandOf(const FioInvocation& run) {
  return {run.fio, "--eta=never", "--output-format=json+", "--output=" + run.json_path,
          run.job_file};
}

/// In the child: a group of its own, the signals of a fresh process, both outputs in `messages`.
/// Only async-signal-safe calls. Returns the errno that stopped it.
int BecomeFio(char* const* arguments, const char* messages) {
  setpgid(0, 0);
  // A fio that outlives us would write on with nobody to stop it or to read its result.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ}) {
    signal(number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int input = open("/dev/null", O_RDONLY);
  const int output = open(messages, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (input < 0 || output < 0 || dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
      dup2(output, STDERR_FILENO) < 0) {
    return errno;
  }
  execvp(arguments[0], arguments);
  return errno;
}

/// Starts `command` with both outputs in `messages_path`; its process id or an error.
Result<pid_t> Spawn(const std::vector<std::string>& command, const std::string& messages_path) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  // Closed by a successful exec; else it carries the errno.
  int report[2] = {-1, -1};
  int fault = pipe2(report, O_CLOEXEC) == 0 ? 0 : errno;
  const pid_t process = fault == 0 ? fork() : -1;
  if (process == 0) {
    const int reason = BecomeFio(arguments.data(), messages_path.c_str());
    [[maybe_unused]] const ssize_t told = write(report[1], &reason, sizeof reason);
    _exit(127);
  }
  if (process < 0 && fault == 0) fault = errno;
  close(report[1]);
  if (process > 0) {
    // Here too, so that a signal to the group cannot come before the group.
    setpgid(process, process);
    if (read(report[0], &fault, sizeof fault) != static_cast<ssize_t>(sizeof fault)) fault = 0;
    if (fault != 0) waitpid(process, nullptr, 0);
  }
  close(report[0]);
  if (fault != 0) {
    Error error =
        SystemError("cannot start fio", fault, {.path = command[0], .line = 0, .item = {}},
                    "install fio (apt-get install fio), or name it with --fio");
    error.kind = ErrorKind::kUnsupported;
    return error;
  }
  return process;
}

std::string TailOf(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (text.size() > kKeptMessageBytes) text.erase(0, text.size() - kKeptMessageBytes);
  return text;
}

/// Waits until the process ends or a tick has passed.
void WaitTick(int descriptor) {
  if (descriptor < 0) {
    usleep(kTickMs * 1000);
    return;
  }
  pollfd ended{.fd = descriptor, .events = POLLIN, .revents = 0};
  poll(&ended, 1, kTickMs);
}

}  // namespace

Result<FioEnd> LaunchFio(const FioInvocation& run, const std::function<void()>& tick,
                         const std::function<int()>& stop) {
  FioEnd end;
  end.command = CommandOf(run);
  IOFLUX_ASSIGN_OR_RETURN(const pid_t process, Spawn(end.command, run.messages_path));
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  int sent = 0;
  int status = 0;
  for (;;) {
    const pid_t reaped = waitpid(process, &status, WNOHANG);
    if (reaped == process || (reaped < 0 && errno != EINTR)) break;
    if (const int wanted = stop(); wanted > sent) {
      kill(-process, wanted == 1 ? SIGINT : SIGKILL);  // a wrapper's children too
      sent = wanted;
    }
    tick();
    WaitTick(descriptor);
  }
  if (descriptor >= 0) close(descriptor);
  if (WIFEXITED(status)) end.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  end.messages = TailOf(run.messages_path);
  return end;
}

}  // namespace ioflux
