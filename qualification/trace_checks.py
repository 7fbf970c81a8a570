# SPDX-License-Identifier: GPL-2.0-only
"""Q06-Q09 and Q17: is the imported trace what the program did, and does it survive its own format?"""

import oracle
from evidence import NotMeasured
from operation import without_eof_reads
from reconcile import reconcile
from strace_log import read_log
from trace_file import Trace, digest


def expected_trace(fixture):
    """The oracle's operations that a trace without reads at the end of a file holds, by worker."""
    return {worker: without_eof_reads(operations) for worker, operations in oracle.sequences(fixture).items()}


class TraceChecks:
    """Imports the capture that the live checks left behind. `expected` is what a replay of it must do."""

    def __init__(self, session):
        self.session = session
        self.fixture = session.fixture
        self.expected = expected_trace(session.fixture)
        self.trace = None

    def measure(self, evidence):
        ops = sum(len(operations) for operations in self.expected.values())
        self.import_capture("imported.ioflux", "--drop-eof", "--report", self.session.path("import.json"))
        self.import_capture("with_eof.ioflux")
        self.trace = Trace.read(self.session.path("imported.ioflux"))
        evidence.measure("Q06", f"the import has {ops} operations; whatever it left out is explained", self.q06)
        evidence.measure("Q07", "the trace has every requested and every returned length", self.q07)
        evidence.measure("Q08", "a trace that is read and written again has the same bytes", self.q08)
        evidence.measure("Q09", "a fio iolog loses only what a ledger counts", missing("conversion to fio iologs"))
        evidence.measure("Q17", "split reads keep every equality that they declare", missing("split-reads"))

    def import_capture(self, name, *options):
        arguments = ("import", "strace", *options, "-o", self.session.path(name), self.session.path("capture.strace"))
        self.session.must_ioflux(*arguments)

    def q06(self):
        report = self.session.load("import.json")
        log = read_log(self.session.path("capture.strace"))
        totals = oracle.DECLARED_TOTALS[self.fixture.name]
        summary = self.trace.header["summary"]
        whole = Trace.read(self.session.path("with_eof.ioflux")).header["summary"]
        left_out = {
            reason: entry["lines"]
            for bucket, reasons in report["reasons"].items()
            if bucket != "imported"
            for reason, entry in reasons.items()
        }
        observed = {
            "ops": summary["num_ops"],
            "streams": summary["num_streams"],
            "targets": len(self.trace.header["targets"]),
            "eof_reads": whole["num_ops"] - summary["num_ops"],
            "left_out_lines": left_out,
            "reasons": sorted(left_out.keys() - {"resumed_without_start"}),
            "lines_without_start": left_out.get("resumed_without_start", 0),
            "lossy": report["lossy"],
        }
        expected = {
            "ops": totals["ops"] - totals["eof_reads"],
            "streams": self.fixture.workers,
            "targets": self.fixture.shards,
            "eof_reads": totals["eof_reads"],
            "reasons": ["eof_read"],
            "lines_without_start": log.orphans,
            "lossy": {},
        }
        return observed, expected, (
            "a line without start is the second half of a call whose first half names no file of the data set; an own "
            "reader counts as many"
        )

    def q07(self):
        seen = self.trace.operations_by_worker(self.fixture)
        reads = [op for operations in seen.values() for op in operations if op.kind == "READ"]
        discriminating = sum(op.requested != op.returned for op in reads)
        if discriminating == 0:
            raise NotMeasured("no read returned another length than it asked for, so the two cannot be told apart")
        totals = oracle.DECLARED_TOTALS[self.fixture.name]
        observed = {
            "reads": len(reads),
            "discriminating_reads": discriminating,
            "mismatches": reconcile(self.expected, seen),
        }
        expected = {
            "reads": totals["full_reads"] + totals["short_reads"],
            "discriminating_reads": totals["short_reads"],
            "mismatches": {},
        }
        return observed, expected

    def q08(self):
        first = self.session.path("imported.ioflux")
        self.import_capture("again.ioflux", "--drop-eof")
        self.session.must_run(*self.session.replay("digest.json", cache="none"))
        with open(first, "rb") as file:
            data = file.read()
        observed = {
            "parsed_and_exported_equal": Trace.parse(data).export() == data,
            "imported_again_equal": digest(self.session.path("again.ioflux")) == digest(first),
            "digest_in_result_is_sha256": self.session.load("digest.json")["plan"]["trace_digest"] == digest(first),
        }
        return observed, dict.fromkeys(observed, True)


def missing(command):
    """A check of something that ioflux cannot do yet."""

    def check():
        raise NotMeasured(f"ioflux has no {command} yet", required=False)

    return check
