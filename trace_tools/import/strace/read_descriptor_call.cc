// SPDX-License-Identifier: GPL-2.0-only
//
// Calls that make, copy, change and end descriptors, as strace prints them.
#include <algorithm>
#include <utility>

#include "trace_tools/import/strace/call_reader.h"
#include "trace_tools/import/strace/text_value.h"

namespace ioflux::strace {
namespace {

using namespace constant;

bool Has(std::uint64_t flags, std::uint64_t bits) { return (flags & bits) == bits; }

OpenMode ModeOf(std::uint64_t flags) {
  if (Has(flags, k_O_RDWR)) return OpenMode::kReadWrite;
  return Has(flags, k_O_WRONLY) ? OpenMode::kWrite : OpenMode::kRead;
}

OpenFlags FlagsOf(std::uint64_t flags) {
  constexpr auto kWords = std::to_array<std::pair<std::uint64_t, OpenFlags>>({
      {k_O_DIRECT, kOpenDirect},
      {k_O_CREAT, kOpenCreate},
      {k_O_TRUNC, kOpenTruncate},
      {k_O_APPEND, kOpenAppend},
      {k_O_DSYNC, kOpenSync},  // O_SYNC has this bit too
  });
  OpenFlags words = 0;
  for (const auto& [bit, word] : kWords) {
    if (Has(flags, bit)) words = static_cast<OpenFlags>(words | word);
  }
  return words;
}

// Whether a flag word of the call asks for close-on-exec, whichever argument it is in.
bool AsksForCloseOnExec(const Arguments& arguments) {
  for (std::size_t i = 0; i < std::min(arguments.size(), Arguments::kMostArguments); ++i) {
    if (arguments[i].find("CLOEXEC") != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

// --- opening -----------------------------------------------------------------------------------

Reason CallReader::FinishOpen(const CallSite& site, const DirectoryUse& directory,
                              std::string_view path_text, std::uint64_t flags) {
  const std::optional<std::string> path = ParseString(path_text);
  if (!path) return Reason::kUnparsed;
  OpenRequest request;
  request.number = *site.call.result.value;
  request.shown = site.call.result.shown;
  request.mode = ModeOf(flags);
  request.flags = FlagsOf(flags);
  request.unnamed = Has(flags, k_O_TMPFILE);
  request.directory = Has(flags, k_O_DIRECTORY) && !request.unnamed;
  request.exclusive = Has(flags, k_O_EXCL);
  request.path_only = Has(flags, k_O_PATH);
  request.close_on_exec = Has(flags, k_O_CLOEXEC);

  std::optional<std::string> resolved =
      paths_.ResolvePath(site.task, site.origin, directory, *path);
  if (!resolved && !request.shown.empty()) {
    resolved = ParseShownName(request.shown).path;
    if (resolved->empty()) resolved.reset();
  }
  if (!resolved) {
    descriptors_.Forget(site.task, site.origin, request.number);
    return Reason::kUnresolvedDirfd;
  }
  request.path = *std::move(resolved);
  return descriptors_.Open(site.task, site.origin, request);
}

Reason CallReader::OnOpen(const CallSite& site) {
  if (site.call.arguments.size() < 2) return Reason::kUnparsed;
  return FinishOpen(site, {}, site.call.arguments[0], ParseFlags(site.call.arguments[1]));
}

Reason CallReader::OnCreat(const CallSite& site) {
  return FinishOpen(site, {}, site.call.arguments[0], k_O_WRONLY | k_O_CREAT | k_O_TRUNC);
}

Reason CallReader::OnOpenAt(const CallSite& site) {
  const Arguments& arguments = site.call.arguments;
  if (arguments.size() < 3) return Reason::kUnparsed;
  return FinishOpen(site, ParseDirectory(arguments[0]), arguments[1], ParseFlags(arguments[2]));
}

Reason CallReader::OnOpenAt2(const CallSite& site) {
  const Arguments& arguments = site.call.arguments;
  if (arguments.size() < 3) return Reason::kUnparsed;
  return FinishOpen(site, ParseDirectory(arguments[0]), arguments[1],
                    ParseFlags(FieldOf(arguments[2], "flags")));
}

// --- closing -----------------------------------------------------------------------------------

Reason CallReader::OnClose(const CallSite& site) {
  const DescriptorUse use = ParseDescriptor(site.call.arguments[0]);
  if (use.number < 0) return Reason::kUnparsed;
  if (!site.call.result.error.empty()) {
    model_.account.Add(Note::kFailedClose);
    model_.account.CountFailure(site.info.name, site.call.result.error);
  }
  const OpenFilePtr detached = site.pending != nullptr && site.pending->detached != nullptr
                                   ? std::exchange(site.pending->detached, nullptr)
                                   : descriptors_.Detach(site.task, use, site.origin);
  return descriptors_.Close(site.task, site.origin, detached);
}

Reason CallReader::OnCloseRange(const CallSite& site) {
  const Arguments& arguments = site.call.arguments;
  const std::optional<std::uint64_t> first = ParseCount(arguments[0]);
  const std::optional<std::uint64_t> last = ParseCount(arguments[1]);
  if (!first || !last) return Reason::kUnparsed;
  const std::uint64_t flags = ParseFlags(arguments[2]);
  if (Has(flags, k_CLOSE_RANGE_UNSHARE)) {
    tasks_.Unshare(site.task, /*descriptors=*/true, /*directory=*/false);
  }
  return descriptors_.CloseRange(site.task, site.origin, static_cast<std::int64_t>(*first),
                                 static_cast<std::int64_t>(*last),
                                 Has(flags, k_CLOSE_RANGE_CLOEXEC));
}

// --- copying -----------------------------------------------------------------------------------

Reason CallReader::OnDup(const CallSite& site) {
  return descriptors_.Duplicate(site.task, site.origin, Use(site, 0), *site.call.result.value,
                                /*close_on_exec=*/false);
}

Reason CallReader::OnDup2(const CallSite& site) {
  const bool close_on_exec = Has(ParseFlags(site.call.arguments[2]), k_O_CLOEXEC);
  return descriptors_.Duplicate(site.task, site.origin, Use(site, 0), *site.call.result.value,
                                close_on_exec);
}

Reason CallReader::OnFcntl(const CallSite& site) {
  const Arguments& arguments = site.call.arguments;
  const DescriptorUse use = Use(site, 0);
  if (use.number < 0) return Reason::kUnparsed;
  const std::optional<std::uint64_t> command = ParseConstant(arguments[1]);
  if (command == k_F_DUPFD || command == k_F_DUPFD_CLOEXEC) {
    return descriptors_.Duplicate(site.task, site.origin, use, *site.call.result.value,
                                  command == k_F_DUPFD_CLOEXEC);
  }
  const std::uint64_t flags = ParseFlags(arguments[2]);
  if (command == k_F_SETFD) {
    return descriptors_.SetCloseOnExec(site.task, site.origin, use, Has(flags, k_FD_CLOEXEC));
  }
  if (command == k_F_SETFL) {
    return descriptors_.SetStatusFlags(site.task, site.origin, use, Has(flags, k_O_APPEND),
                                       Has(flags, k_O_DIRECT));
  }
  const bool asks = command == k_F_GETFD || command == k_F_GETFL;
  return descriptors_.Touch(site.task, site.origin, use,
                            asks ? Reason::kQuery : Reason::kNoOperation);
}

Reason CallReader::OnIoctl(const CallSite& site) {
  const DescriptorUse use = Use(site, 0);
  if (use.number < 0) return Reason::kUnparsed;
  const std::optional<std::uint64_t> command = ParseConstant(site.call.arguments[1]);
  if (command == k_FIOCLEX || command == k_FIONCLEX) {
    return descriptors_.SetCloseOnExec(site.task, site.origin, use, command == k_FIOCLEX);
  }
  return descriptors_.Touch(site.task, site.origin, use, Reason::kNoOperation);
}

// --- no files ----------------------------------------------------------------------------------

Reason CallReader::AddPair(const CallSite& site, std::size_t index, FileKind kind) {
  const auto ends = ParseDescriptorPair(site.call.arguments[index]);
  if (!ends || ends->first.number < 0 || ends->second.number < 0) return Reason::kUnparsed;
  const bool close_on_exec = AsksForCloseOnExec(site.call.arguments);
  descriptors_.AddNonFile(site.task, site.origin, ends->first.number, kind, close_on_exec);
  return descriptors_.AddNonFile(site.task, site.origin, ends->second.number, kind, close_on_exec);
}

Reason CallReader::OnPipe(const CallSite& site) { return AddPair(site, 0, FileKind::kPipe); }

Reason CallReader::OnSocketPair(const CallSite& site) {
  return AddPair(site, 3, FileKind::kSocket);
}

Reason CallReader::OnNewSocket(const CallSite& site) {
  return descriptors_.AddNonFile(site.task, site.origin, *site.call.result.value, FileKind::kSocket,
                                 AsksForCloseOnExec(site.call.arguments));
}

Reason CallReader::OnNewAnonymous(const CallSite& site) {
  return descriptors_.AddNonFile(site.task, site.origin, *site.call.result.value,
                                 FileKind::kAnonymous, AsksForCloseOnExec(site.call.arguments));
}

Reason CallReader::OnPidFdGetFd(const CallSite& site) {
  DescriptorUse use;
  use.number = *site.call.result.value;
  use.shown = site.call.result.shown;
  descriptors_.AddForeign(site.task, site.origin, use);
  return Reason::kState;
}

// Descriptors come in as `cmsg_type=SCM_RIGHTS, cmsg_data=[5</data/a>, 6]`.
Reason CallReader::OnRecvMsg(const CallSite& site) {
  constexpr std::string_view kData = "cmsg_data=[";
  const std::string_view message = site.call.arguments[1];
  std::size_t at = message.find("SCM_RIGHTS");
  if (at != std::string_view::npos) at = message.find(kData, at);
  if (at != std::string_view::npos) {
    const std::string call = "f(" + std::string(message.substr(at + kData.size()));
    CallText parsed;
    ParseCutCall(call, parsed);
    for (std::size_t i = 0; i < parsed.arguments.size(); ++i) {
      const DescriptorUse use = ParseDescriptor(parsed.arguments[i]);
      if (use.number < 0) break;
      descriptors_.AddForeign(site.task, site.origin, use);
    }
  }
  return Reason::kSocket;
}

}  // namespace ioflux::strace
