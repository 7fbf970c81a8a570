# SPDX-License-Identifier: GPL-2.0-only
"""Q10-Q14 and U01: does the replay do what the trace says, as seen from outside?"""

import collections

import host_facts
import oracle
from dataset_calls import by_worker, replay_phases
from depth import profile
from evidence import NotMeasured
from reconcile import reconcile

ATTEMPTS = 10

# What preparation and cache evidence may do to a file of the data set; never a read.
OUTSIDE_THE_RUN = {"OPEN", "FSTAT", "STAT", "FADVISE", "CLOSE"}


def as_fixture_operation(operation):
    """A replay does STAT by name what the program did by descriptor: another form of the same operation."""
    return operation._replace(kind="FSTAT") if operation.kind == "STAT" else operation


def peak(calls):
    return profile([(found.call.start, found.call.end) for found in calls if found.operation.kind == "READ"])


class ReplayChecks:
    def __init__(self, session, expected, capture, live_device_bytes):
        self.session = session
        self.fixture = session.fixture
        self.expected = expected
        self.capture = capture
        self.live_device_bytes = live_device_bytes
        self.phases = None
        self.mismatches = {}
        totals = oracle.DECLARED_TOTALS[session.fixture.name]
        self.reads = totals["full_reads"] + totals["short_reads"]
        self.short_reads = totals["short_reads"]
        self.ops = totals["ops"] - totals["eof_reads"]

    def measure(self, evidence):
        log = self.session.traced("replay.full", *self.session.replay("replay.json"))
        self.phases = replay_phases(log, self.session.dataset)
        workers = by_worker(self.fixture, self.phases.run)
        seen = {worker: [as_fixture_operation(found.operation) for found in run] for worker, run in workers.items()}
        self.mismatches = reconcile(self.expected, seen)
        evidence.measure("Q10", f"the replay makes exactly the trace's calls, {self.reads} of them reads", self.q10)
        evidence.measure("Q11", "reads ask for what the source asked for, and come back as short", self.q11)
        evidence.measure("Q12", "an operation is one system call: no read returns nothing", self.q12)
        evidence.measure("Q13", "the replay reads as much from the device as the program did", self.q13)
        evidence.measure("Q14", f"at most {self.fixture.workers} reads are in flight, in both", self.q14)
        evidence.measure("U01", "the same through io_uring: counts, bytes and device bytes", self.u01)

    def q10(self):
        run = self.phases.run
        outside = self.phases.before + self.phases.after
        extra = collections.Counter(found.operation.kind for found in outside)
        observed = {
            "reads": sum(found.operation.kind == "READ" for found in run),
            "operations": len(run),
            "mismatches": self.mismatches,
            "undeclared_calls_outside_the_run": sorted(extra.keys() - OUTSIDE_THE_RUN),
            "calls_before_the_run": len(self.phases.before),
            "calls_after_the_run": len(self.phases.after),
            "form": sorted({found.call.name for found in run}),
            "form_of_source": sorted({found.call.name for found in self.capture}),
        }
        expected = {
            "reads": self.reads,
            "operations": self.ops,
            "mismatches": {},
            "undeclared_calls_outside_the_run": [],
        }
        return observed, expected, (
            "the form differs and is declared to: reads are positional, stat goes by name, below a target root as a "
            "handle, its fstat and its close; before and after the run targets are checked, dropped from the page "
            "cache and counted in it"
        )

    def q11(self):
        short = [
            found.operation.returned
            for found in self.phases.run
            if found.operation.kind == "READ" and found.operation.returned < found.operation.requested
        ]
        result = self.session.load("replay.json")
        observed = {
            "requested_mismatches": self.mismatches.get("requested", 0),
            "short_reads": len(short),
            "short_returns": sorted(set(short)),
            "operation_errors": result["errors"],
            "job_errors": result["fio"].get("job_errors", 0),
            "fio_exit_status": result["fio"]["exit_status"],
        }
        expected = {
            "requested_mismatches": 0,
            "short_reads": self.short_reads,
            "short_returns": [self.fixture.tail_bytes],
            "operation_errors": 0,
            "job_errors": 0,
            "fio_exit_status": 0,
        }
        return observed, expected, "fio without the engine, which needs an iolog, is not measured"

    def q12(self):
        every = [*self.phases.before, *self.phases.run, *self.phases.after]
        empty = [found for found in every if found.operation.kind == "READ" and found.operation.returned == 0]
        return {"empty_reads": len(empty)}, {"empty_reads": 0}

    def device_bytes(self, expected, **options):
        """Of up to ten replays, by the kernel's account of all their processes; and the last one's result.

        What else is read, pages of programs and directories, can only add, and comes and goes; a replay that reads
        too much does so every time, and one that reads too little ends the attempts."""
        seen, result = [], None
        while len(seen) < ATTEMPTS and (not seen or seen[-1] > expected):
            device_bytes, result = self.session.counted_replay(**options)
            seen.append(device_bytes)
        return seen, result

    def need_device(self):
        if not host_facts.has_device(self.session.dataset):
            raise NotMeasured("the file system has no device below it")

    def q13(self):
        self.need_device()
        self.session.must_run(*self.session.replay("first.json"))  # so that its programs are in memory
        cold, cold_result = self.device_bytes(self.live_device_bytes)
        self.session.must_run(*self.session.replay("first_warm.json", cache="warm"))
        warm, warm_result = self.device_bytes(0, cache="warm")
        observed = {
            "cold": cold[-1],
            "warm": warm[-1],
            "live": self.live_device_bytes,
            "cold_runs": cold,
            "warm_runs": warm,
            "cold_by_the_engine": engine_device_bytes(cold_result),
            "warm_by_the_engine": engine_device_bytes(warm_result),
        }
        expected = {"cold": self.live_device_bytes, "warm": 0, "live": self.fixture.device_bytes}
        expected |= {"cold_by_the_engine": self.live_device_bytes, "warm_by_the_engine": 0}
        return observed, expected

    def q14(self):
        live, replay = peak(self.capture), peak(self.phases.run)
        observed = {
            "live_peak": live["peak"],
            "replay_peak": replay["peak"],
            "live_mean_while_busy": live["mean_while_busy"],
            "replay_mean_while_busy": replay["mean_while_busy"],
        }
        cap = self.fixture.workers
        reason = "this confirms the configured cap, not that concurrency was recovered; means are no criterion"
        return observed, {"live_peak": cap, "replay_peak": cap}, reason

    def u01(self):
        self.need_device()
        ring = ("--io", "uring")
        self.session.must_run(*self.session.replay("first_uring.json", more=ring))
        cold, result = self.device_bytes(self.live_device_bytes, more=ring)
        observed = {"device_bytes": cold[-1], "cold_runs": cold}
        limits = " ".join(result["run_env"].get("engine_limitations", ()))
        if "io_uring" in limits and "refused" in limits:
            raise NotMeasured("io_uring is refused here", required=False)
        reads = next(entry for entry in result["op_totals"] if entry["op_type"] == "READ")
        fio_reads = next(row for row in result["fio"]["cross_check"]["rows"] if row["name"] == "read")
        observed |= {
            "ops": result["ops_completed"],
            "errors": result["errors"],
            "bytes": result["bytes_moved"],
            "reads": reads["count"],
            "requested_bytes": reads["requested_bytes"],
            "reads_by_fio": fio_reads["fio_ops"],
            "bytes_by_fio": fio_reads["fio_bytes"],
        }
        expected = {
            "device_bytes": self.live_device_bytes,
            "ops": self.ops,
            "errors": 0,
            "bytes": self.fixture.total_bytes,
            "reads": self.reads,
            "requested_bytes": self.reads * self.fixture.block_bytes,
            "reads_by_fio": self.reads,
            "bytes_by_fio": self.fixture.total_bytes,
        }
        return observed, expected, "strace cannot see the operations of a ring; order and offsets are not measured"


def engine_device_bytes(result):
    return result["run_env"]["cache_evidence"]["device"].get("process_read_bytes")
