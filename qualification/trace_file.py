# SPDX-License-Identifier: GPL-2.0-only
"""An own reader and writer of .ioflux traces (docs/format.md), for the qualification alone."""

import collections
import hashlib
import json
import os

from operation import Operation


class Trace:
    """`header` and `ops` are the JSON objects of the file, members in its order."""

    def __init__(self, header, ops):
        self.header = header
        self.ops = ops

    @classmethod
    def parse(cls, data):
        header, *ops = (json.loads(line) for line in data.decode().splitlines())
        return cls(header, ops)

    @classmethod
    def read(cls, path):
        with open(path, "rb") as file:
            return cls.parse(file.read())

    def export(self):
        """The canonical form: no blanks, members as they stand, one object a line."""
        lines = (json.dumps(entry, separators=(",", ":"), ensure_ascii=False) for entry in [self.header, *self.ops])
        return ("\n".join(lines) + "\n").encode()

    def write(self, path):
        with open(path, "wb") as file:
            file.write(self.export())

    def operations_by_stream(self):
        """A STAT of a trace is what the fixture calls FSTAT: a trace has one kind for both."""
        names = [os.path.basename(target["name"]) for target in self.header["targets"]]
        handles, streams = {}, collections.defaultdict(list)
        for op in self.ops:
            kind = op["op"]
            if kind == "OPEN":
                handles[op["h"]] = names[op["tgt"]]
            path = names[op["tgt"]] if "tgt" in op else handles[op["h"]]
            if kind == "READ":
                length = op["len"]
                operation = Operation(kind, path, op["off"], length, op.get("ret", length))
            else:
                operation = Operation("FSTAT" if kind == "STAT" else kind, path)
            streams[op["s"]].append(operation)
        return streams

    def operations_by_worker(self, fixture):
        """A stream is the worker that most of its paths name, so that one wrong path does not move it."""
        workers = collections.defaultdict(list)
        for operations in self.operations_by_stream().values():
            owners = collections.Counter(fixture.worker_of(op.path) for op in operations)
            workers[owners.most_common(1)[0][0]] += operations
        return dict(workers)


def digest(path):
    with open(path, "rb") as file:
        return "sha256:" + hashlib.sha256(file.read()).hexdigest()
