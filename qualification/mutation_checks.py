# SPDX-License-Identifier: GPL-2.0-only
"""M01-M05: does the reconciler notice? Each corrupts the trace in one place, which stays a valid trace, and must see
exactly that dimension flagged."""

import copy

from reconcile import reconcile

OFF_GRID_BYTES = 512  # no read of a fixture starts here


def reads_of(trace):
    return [place for place, op in enumerate(trace.ops) if op["op"] == "READ"]


def full_reads(trace):
    return [place for place in reads_of(trace) if "ret" not in trace.ops[place]]


def short_reads(trace):
    return [place for place in reads_of(trace) if "ret" in trace.ops[place]]


def corrupt_offset(trace):
    trace.ops[full_reads(trace)[1]]["off"] += OFF_GRID_BYTES


def corrupt_requested(trace):
    """Of a short read: its result stays what it was."""
    trace.ops[short_reads(trace)[0]]["len"] -= 1


def corrupt_returned(trace):
    trace.ops[short_reads(trace)[0]]["ret"] -= 1
    trace.header["summary"]["total_bytes"] -= 1


def corrupt_order(trace):
    """Two neighbouring reads of a stream change places; times and numbers stay, so that the file stays valid."""
    first = full_reads(trace)[0]
    handle = trace.ops[first]["h"]
    second = next(place for place in full_reads(trace)[1:] if trace.ops[place]["h"] == handle)
    for member in ("off", "len"):
        one, other = trace.ops[first], trace.ops[second]
        one[member], other[member] = other[member], one[member]


def corrupt_path(trace):
    """One open names the file of another stream, and with it every read of its handle."""
    opens = [op for op in trace.ops if op["op"] == "OPEN"]
    other = next(op for op in opens if op["s"] != opens[0]["s"])
    opens[0]["tgt"] = other["tgt"]


SPOKEN = {"requested": "requested length", "returned": "returned length"}  # what reconcile.py calls shorter

MUTATIONS = (
    ("M01", "offset", corrupt_offset),
    ("M02", "requested", corrupt_requested),
    ("M03", "order", corrupt_order),
    ("M04", "path", corrupt_path),
    ("M05", "returned", corrupt_returned),
)


class MutationChecks:
    def __init__(self, session, trace, expected):
        self.session = session
        self.trace = trace
        self.expected = expected

    def measure(self, evidence):
        for identifier, dimension, corrupt in MUTATIONS:
            spoken = SPOKEN.get(dimension, dimension)
            criterion = f"a trace with one wrong {spoken} is flagged in that, and in nothing else"
            evidence.measure(identifier, criterion, self.check(identifier, dimension, corrupt))

    def check(self, identifier, dimension, corrupt):
        def run():
            trace = copy.deepcopy(self.trace)
            corrupt(trace)
            path = self.session.path(f"{identifier}.ioflux")
            trace.write(path)
            flagged = reconcile(self.expected, trace.operations_by_worker(self.session.fixture))
            observed = {
                "flagged": sorted(flagged),
                "places": flagged,
                "still_valid": self.session.ioflux("validate", path).returncode == 0,
            }
            return observed, {"flagged": [dimension], "still_valid": True}

        return run
