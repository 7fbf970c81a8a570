// SPDX-License-Identifier: GPL-2.0-only
#include "job_templates/fio_launcher.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>

extern char** environ;  // NOLINT: the C library's name

namespace ioflux {
namespace {

constexpr int kTickMs = 100;
constexpr std::size_t kKeptMessageBytes = 64 << 10;

std::vector<std::string> CommandOf(const FioInvocation& run) {
  return {run.fio, "--eta=never", "--output-format=json+", "--output=" + run.json_path,
          run.job_file};
}

/// Spawns `command` with both outputs in `messages_path`, in its own process group; its process id
/// or an error.
Result<pid_t> Spawn(const std::vector<std::string>& command, const std::string& messages_path) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, messages_path.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGTERM);
  posix_spawnattr_setsigdefault(&attributes, &defaults);

  pid_t process = 0;
  const int fault =
      posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
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
      kill(process, wanted == 1 ? SIGINT : SIGKILL);
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
