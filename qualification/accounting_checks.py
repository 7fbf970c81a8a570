# SPDX-License-Identifier: GPL-2.0-only
"""Q15, Q16: do fio's own numbers agree with what was seen from outside?"""

import glob
import os

from dataset_calls import replay_phases

INTERVAL_MS = 10
READ_DIRECTION = 0  # fio's number in its logs


def histogram_log_samples(paths):
    """Reads in fio's histogram logs: a line is time, direction, block size and then a count for each bucket."""
    samples = 0
    for path in paths:
        with open(path, encoding="ascii") as file:
            for line in file:
                _, direction, _, *counts = (int(field) for field in line.split(","))
                samples += sum(counts) if direction == READ_DIRECTION else 0
    return samples


class AccountingChecks:
    """Replays with a plain fio from a job file that ioflux wrote, under strace, with every number fio can give."""

    def __init__(self, session):
        self.session = session
        self.fixture = session.fixture
        self.reads = 0  # as strace saw them
        self.fio = {}

    def measure(self, evidence):
        self.replay()
        evidence.measure("Q15", "fio counts as many reads and bytes as were seen from outside", self.q15)
        evidence.measure("Q16", "fio's histogram logs hold no more reads than there were; the rest is told", self.q16)

    def replay(self):
        folder = self.session.path("plain_fio")
        os.makedirs(folder, exist_ok=True)
        job = os.path.join(folder, "job.fio")
        inflight = str(self.fixture.workers)
        self.session.must_ioflux(
            *("jobs", "--trace", self.session.path("imported.ioflux"), "--engine", "local"),
            *("--target-root", self.session.dataset, "--prepare", "assume-existing", "--max-inflight", inflight),
            *("--cache-mode", "cold", "--engine-library", self.session.engine, "-o", job),
        )
        with open(job, encoding="utf-8") as file:
            text = file.read()
        logs = f"[global]\nwrite_hist_log=read\nlog_hist_msec={INTERVAL_MS}\n"
        with open(job, "w", encoding="utf-8") as file:
            file.write(text.replace("[global]\n", logs, 1))
        command = (self.session.fio_program, "--eta=never", "--output-format=json+", "--output=fio.json", "job.fio")
        log = self.session.traced("plain_fio.full", *command, cwd=folder)
        run = replay_phases(log, self.session.dataset).run
        self.reads = sum(found.operation.kind == "READ" for found in run)
        self.fio = self.session.load("plain_fio/fio.json")

    def q15(self):
        reads = [job["read"] for job in self.fio["jobs"]]
        observed = {
            "reads_seen": self.reads,
            "clat_samples": sum(read["clat_ns"]["N"] for read in reads),
            "clat_bins": sum(sum(read["clat_ns"]["bins"].values()) for read in reads),
            "total_ios": sum(read["total_ios"] for read in reads),
            "io_bytes": sum(read["io_bytes"] for read in reads),
            "job_errors": [job["error"] for job in self.fio["jobs"] if job["error"]],
        }
        expected = dict.fromkeys(("clat_samples", "clat_bins", "total_ios"), self.reads)
        return observed, expected | {"io_bytes": self.fixture.total_bytes, "job_errors": []}

    def q16(self):
        logs = glob.glob(os.path.join(glob.escape(self.session.path("plain_fio")), "read_clat_hist.*.log"))
        samples = sum(read["clat_ns"]["N"] for read in (job["read"] for job in self.fio["jobs"]))
        logged = histogram_log_samples(logs)
        observed = {
            "logs": len(logs),
            "reads": samples,
            "logged_reads": logged,
            "shortfall": samples - logged,
            "no_more_than_there_were": logged <= samples,
        }
        reason = "fio loses samples after the last interval of a job, so whole-run percentiles come from JSON+ alone"
        return observed, {"logs": self.fixture.workers, "no_more_than_there_were": True}, reason
