# SPDX-License-Identifier: GPL-2.0-only
"""Which calls of a log are operations on the data set, and which operations they are."""

import os
import re
import typing

from operation import Operation
from strace_log import Call

OPENING = ("open", "openat", "openat2")
STATTING = ("newfstatat", "statx")
KIND = {"close": "CLOSE", "fstat": "FSTAT", "lseek": "LSEEK", "fadvise64": "FADVISE", "fsync": "FSYNC"}

# An open that yields a handle and no access, and one that cannot block: neither is made for an operation of a trace.
NOT_FOR_DATA = re.compile(r"\bO_(PATH|NOCTTY)\b")


class DatasetCall(typing.NamedTuple):
    operation: Operation
    call: Call


def named_path(call):
    """The file that a call is about, as strace names it."""
    if call.name in OPENING and call.value >= 0:
        return call.result_path
    if call.name in OPENING or (call.name in STATTING and call.argument_name):
        return os.path.normpath(os.path.join(call.descriptor_path, call.argument_name))
    return call.descriptor_path


def kind_of(call):
    """FSTAT is also newfstatat or statx with an empty name: which of them it is, the C library decides."""
    if call.value < 0:
        return "FAILED"
    if call.name in OPENING:
        return "OPEN"
    if call.name in STATTING:
        return "STAT" if call.argument_name else "FSTAT"
    return KIND.get(call.name, "READ")


def dataset_calls(log, folder):
    """The calls on files below `folder`, in the order in which they were entered. Calls on the folder itself, the
    handle that a replay is confined by, are none of them."""
    cursors = {}
    found = []
    for call in log.calls:
        path = named_path(call)
        if not path.startswith(folder + "/"):
            continue
        name = path[len(folder) + 1 :]
        kind = kind_of(call)
        if kind != "READ":
            if kind == "OPEN":
                cursors[call.pid, name] = 0
            found.append(DatasetCall(Operation(kind, name), call))
            continue
        length, offset = call.last_numbers
        if call.name == "read":
            length, offset = offset, cursors.get((call.pid, name), 0)
            cursors[call.pid, name] = offset + call.value
        found.append(DatasetCall(Operation(kind, name, offset, length, call.value), call))
    return found


def is_confined_stat(calls):
    """A stat below a root that no link may lead out of: a handle, its fstat, its close."""
    if [found.operation.kind for found in calls] != ["OPEN", "FSTAT", "CLOSE"]:
        return False
    handle, stat, close = (found.call for found in calls)
    descriptors = {stat.arguments.partition("<")[0], close.arguments.partition("<")[0]}
    paths = {found.operation.path for found in calls}
    return "O_PATH" in handle.arguments and descriptors == {str(handle.value)} and len(paths) == 1


def confined_stat(calls):
    first, last = calls[0].call, calls[-1].call
    name = "+".join(found.call.name for found in calls)
    return DatasetCall(Operation("STAT", calls[0].operation.path), first._replace(end=last.end, name=name))


def fold_confined_stats(calls):
    """Makes one STAT of each such triple, provided that its thread did nothing else to the data set in between."""
    places, stats, folded = {}, {}, set()
    for place, found in enumerate(calls):
        recent = places.setdefault(found.call.pid, [])
        recent.append(place)
        triple = [calls[at] for at in recent[-3:]]
        if is_confined_stat(triple):
            stats[place] = confined_stat(triple)
            folded.update(recent[-3:-1])
            del recent[-3:]
    return [stats.get(place, found) for place, found in enumerate(calls) if place not in folded]


def by_worker(fixture, calls):
    """The calls of each worker, recovered from the paths: who reads a file is written in its name, and thread ids
    say nothing about streams. Under None are those on files that no worker owns."""
    workers = {worker: [] for worker in range(fixture.workers)}
    for found in calls:
        workers.setdefault(fixture.worker_of(found.operation.path), []).append(found)
    return workers


def opens_for_data(found):
    return found.operation.kind == "OPEN" and not NOT_FOR_DATA.search(found.call.arguments)


class Phases(typing.NamedTuple):
    """What a replay did to the data set: before it opened a file for data, until it closed it, and after."""

    before: list
    run: list
    after: list


def split_phases(calls):
    """A file is open for data once, from a plain open to the first close after it. What comes before is preparation,
    what comes after is evidence about the cache; anything else in between is an extra call of the run and stays in
    it. No call of a run can hide: a file that is never opened for data is all preparation, and its reads are missed."""
    phases = Phases([], [], [])
    state = {}
    for found in calls:
        path = found.operation.path
        at = state.get(path, "before")
        if opens_for_data(found):
            at = "run"
        getattr(phases, at).append(found)
        if at == "run" and found.operation.kind == "CLOSE":
            at = "after"
        state[path] = at
    return phases


def replay_phases(log, folder):
    """The phases of a replay, from its log."""
    return split_phases(fold_confined_stats(dataset_calls(log, folder)))
