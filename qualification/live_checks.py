# SPDX-License-Identifier: GPL-2.0-only
"""Q01-Q05: is the oracle right, and did the capture see what the program did?"""

import host_facts
import oracle
from dataset_calls import by_worker, dataset_calls
from evidence import NotMeasured
from operation import Operation
from reconcile import reconcile
from strace_log import filter_log


class LiveChecks:
    """Runs the reader once as it is and once under strace, both cold. `live_device_bytes` is there after Q04."""

    def __init__(self, session):
        self.session = session
        self.fixture = session.fixture
        self.expected = oracle.sequences(session.fixture)
        self.journals = {}
        self.capture = []  # calls on the data set in the whole log
        self.capture_log = None
        self.live_device_bytes = 0

    def measure(self, evidence):
        totals = oracle.DECLARED_TOTALS[self.fixture.name]
        reads = totals["reads"]
        evidence.measure("Q01", "the analytic oracle has the declared totals", self.q01)
        self.run_live()
        evidence.measure("Q02", "the program's journal is the analytic sequence, element by element", self.q02)
        evidence.measure("Q03", "the kernel counted the expected read calls and bytes for every worker", self.q03)
        evidence.measure("Q04", "the cold run read every page of the data set from the device", self.q04)
        self.run_captured()
        evidence.measure("Q05", f"the capture holds all {totals['ops']} operations, {reads} of them reads", self.q05)

    def run_live(self):
        self.session.make_cold()
        self.session.must_run(*self.session.reader("live"))
        self.journals = self.session.journals("live")

    def run_captured(self):
        self.session.make_cold()
        self.capture_log = self.session.traced("capture.full", *self.session.reader("captured"))
        self.capture = dataset_calls(self.capture_log, self.session.dataset)
        filter_log(self.session.path("capture.full"), self.session.path("capture.strace"), self.session.dataset)

    def q01(self):
        observed = oracle.totals(self.expected) | {"device_bytes": self.fixture.device_bytes}
        return observed, oracle.DECLARED_TOTALS[self.fixture.name]

    def q02(self):
        seen = {
            worker: [Operation(*entry) for entry in journal["operations"]]
            for worker, journal in self.journals.items()
        }
        compared = sum(len(operations) for operations in seen.values())
        every = sum(len(operations) for operations in self.expected.values())
        observed = {"operations": compared, "mismatches": reconcile(self.expected, seen)}
        return observed, {"operations": every, "mismatches": {}}

    def q03(self):
        observed, expected = {}, {}
        for worker, operations in self.expected.items():
            reads = [op for op in operations if op.kind == "READ"]
            account = self.journals[worker]["kernel"]
            exact = {"reads": len(reads), "bytes": sum(op.returned for op in reads)}
            exact |= {"snapshot_reads": 1, "snapshot_surplus_bytes": 0}
            observed[f"worker {worker}"] = {name: account[name] for name in exact}
            expected[f"worker {worker}"] = exact
        return observed, expected

    def q04(self):
        if not host_facts.has_device(self.session.dataset):
            raise NotMeasured("the file system has no device below it")
        self.live_device_bytes = sum(journal["kernel"]["device_bytes"] for journal in self.journals.values())
        return {"device_bytes": self.live_device_bytes}, {"device_bytes": self.fixture.device_bytes}

    def q05(self):
        workers = by_worker(self.fixture, self.capture)
        seen = {worker: [found.operation for found in calls] for worker, calls in workers.items()}
        observed = {
            "operations": len(self.capture),
            "mismatches": reconcile(self.expected, seen),
            "unread_lines": len(self.capture_log.unread),
            "calls_without_end": self.capture_log.open_ended,
            "form": sorted({found.call.name for found in self.capture}),
        }
        every = sum(len(operations) for operations in self.expected.values())
        return observed, {"operations": every, "mismatches": {}, "unread_lines": 0, "calls_without_end": 0}
