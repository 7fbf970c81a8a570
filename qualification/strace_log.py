# SPDX-License-Identifier: GPL-2.0-only
"""Reads what `strace -f -ttt -T -y -s 0` wrote: an own reader, so that the importer is not its own witness.

A descriptor is named by strace's decoration (-y) alone. A table of descriptors kept here would be a second guess at
what the kernel knows, and threads that share descriptors would break it.
"""

import re
import typing

TRACED = "openat,openat2,open,read,pread64,close,fstat,newfstatat,statx,lseek,fadvise64,fsync"

LINE = re.compile(r"(?P<pid>\d+) +(?P<time>\d+\.\d+) (?P<text>.*)$")
WHOLE = re.compile(r"(?P<name>\w+)\((?P<arguments>.*)\) += (?P<result>\S.*?) <(?P<duration>[\d.]+)>$")
STARTED = re.compile(r"(?P<name>\w+)\((?P<arguments>.*?) *<unfinished \.\.\.>$")
RESUMED = re.compile(
    r"<\.\.\. (?P<name>\w+) resumed> ?(?P<arguments>.*)\) += (?P<result>\S.*?) <(?P<duration>[\d.]+)>$"
)
RESULT = re.compile(r"(?P<value>-?\d+)(?:<(?P<path>[^>]*)>)?")
DESCRIPTOR = re.compile(r"(?:AT_FDCWD|\d+)<(?P<path>[^>]*)>")
NAME = re.compile(r'^[^,]*, "(?P<name>[^"]*)"')
LAST_NUMBERS = re.compile(r"(?:, (?P<first>\d+))?, (?P<last>\d+)$")


class Call(typing.NamedTuple):
    """One system call of the log. [start, end] in seconds is when it was in flight."""

    pid: int
    start: float
    end: float
    name: str
    arguments: str
    value: int
    result_path: str  # strace's name for the descriptor that was returned; empty for any other result

    @property
    def descriptor_path(self):
        """strace's name for the first argument; empty when that is no descriptor."""
        match = DESCRIPTOR.match(self.arguments)
        return match["path"] if match else ""

    @property
    def argument_name(self):
        """The name in the second argument of the *at calls."""
        match = NAME.match(self.arguments)
        return match["name"] if match else ""

    @property
    def last_numbers(self):
        """The last two numeric arguments; the first of them is None where only one ends the call."""
        match = LAST_NUMBERS.search(self.arguments)
        return (match["first"] and int(match["first"]), int(match["last"])) if match else (None, None)


class Log(typing.NamedTuple):
    calls: list  # by the time they were entered
    orphans: int  # second halves without a first
    unread: list  # lines that are no call and no event of a process
    open_ended: int  # calls that never returned: their process ended in them


def make_call(match, pid, start, arguments):
    result = RESULT.match(match["result"])
    return Call(
        int(pid),
        start,
        start + float(match["duration"]),
        match["name"],
        arguments,
        int(result["value"]) if result else -1,
        (result["path"] or "") if result else "",
    )


def read_log(path):
    """The calls of a log, both halves of those told in two joined."""
    calls, unread, started, orphans = [], [], {}, 0
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            match = LINE.match(line)
            if match is None:
                unread.append(line)
                continue
            pid, time, text = match["pid"], float(match["time"]), match["text"]
            if text.startswith(("+++", "---")):
                continue
            if whole := WHOLE.match(text):
                calls.append(make_call(whole, pid, time, whole["arguments"]))
            elif start := STARTED.match(text):
                started[pid] = (start["name"], time, start["arguments"])
            elif resumed := RESUMED.match(text):
                name, begun, arguments = started.pop(pid, ("", 0.0, ""))
                if name != resumed["name"]:
                    orphans += 1
                    continue
                calls.append(make_call(resumed, pid, begun, join_halves(arguments, resumed["arguments"])))
            else:
                unread.append(line)
    calls.sort(key=lambda call: call.start)
    return Log(calls, orphans, unread, len(started))


def join_halves(first, second):
    """`3</f>, ` and `""..., 4096` make one list of arguments, whatever strace left of the blank between."""
    return first.rstrip() + " " + second.lstrip() if first and second else first + second


def filter_log(source, destination, folder):
    """Keeps the lines that name `folder`, and every second half: those of its split calls name nothing."""
    with open(source, "rb") as lines, open(destination, "wb") as kept:
        for line in lines:
            if folder.encode() in line or b"resumed>" in line:
                kept.write(line)
