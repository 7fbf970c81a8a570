# SPDX-License-Identifier: GPL-2.0-only
"""One qualification: its fixture, its folder, and how programs are run in it."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys

from evidence import NotMeasured
from fixture import make_cold, make_dataset
from strace_log import TRACED, read_log

TIMEOUT_SECONDS = 240
INBLOCK_BYTES = 512  # the unit of ru_inblock
HERE = os.path.dirname(os.path.abspath(__file__))


class Session:
    def __init__(self, fixture, work, build):
        self.fixture = fixture
        self.work = os.path.realpath(work)  # strace names files by their real paths
        self.dataset = self.path("dataset")
        self.ioflux_program = os.path.join(build, "bin", "ioflux")
        self.engine = os.path.join(build, "lib", "libioflux.so")
        self.fio_program = shutil.which("fio") or "fio"

    def path(self, name):
        return os.path.join(self.work, name)

    def require_tools(self):
        """Raises NotMeasured when nothing at all can be measured here."""
        for program in (self.ioflux_program, self.engine):
            if not os.path.exists(program):
                raise NotMeasured(f"{os.path.basename(program)} is not built")
        for program in ("fio", "strace"):
            if shutil.which(program) is None:
                raise NotMeasured(f"{program} is not installed")
        if self.run("strace", "-o", "/dev/null", "true").returncode != 0:
            raise NotMeasured("strace cannot trace here (ptrace is refused)")

    def prepare(self):
        make_dataset(self.fixture, self.dataset)

    def run(self, *command, **options):
        """Runs a command in the folder of the session, its output captured as text."""
        defaults = {"cwd": self.work, "timeout": TIMEOUT_SECONDS, "text": True, "check": False}
        defaults |= {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        return subprocess.run(command, **(defaults | options))

    def must_run(self, *command, **options):
        result = self.run(*command, **options)
        if result.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\nended with {result.returncode}:\n{result.stdout}")
        return result.stdout

    def counted_replay(self, **options):
        """Replays; returns what ioflux, fio and every other child read from devices, in bytes, and the result.

        The result comes through a pipe: for a new file a file system may read blocks of its own, which would count."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock
        output = self.must_run(*self.replay("-", **options), stderr=subprocess.DEVNULL)
        inblock = resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock - before
        return inblock * INBLOCK_BYTES, json.loads(output)

    def ioflux(self, *arguments, **options):
        return self.run(self.ioflux_program, *arguments, **options)

    def must_ioflux(self, *arguments):
        return self.must_run(self.ioflux_program, *arguments)

    def traced(self, log, *command, **options):
        """Runs a command under strace; returns its calls."""
        strace = ("strace", "-f", "-ttt", "-T", "-y", "-s", "0", "-e", f"trace={TRACED}", "-o", self.path(log))
        self.must_run(*strace, *command, **options)
        return read_log(self.path(log))

    def reader(self, journal):
        """The command of the program that is qualified."""
        program = os.path.join(HERE, "reader.py")
        return (sys.executable, program, self.fixture.name, self.dataset, self.path(journal))

    def replay(self, output, trace="imported.ioflux", root=None, cache="cold", prepare="assume-existing", more=()):
        """The command of a replay as fast as possible, at most as many reads in flight as there were workers."""
        inflight = str(self.fixture.workers)
        command = (self.ioflux_program, "run", "--trace", self.path(trace), "--engine", "local", "--mode", "asap")
        command += ("--target-root", root or self.dataset, "--prepare", prepare, "--max-inflight", inflight)
        command += ("--cache-mode", cache, "--engine-library", self.engine, "--fio", self.fio_program)
        return (*command, *more, "-o", output if output == "-" else self.path(output))

    def make_cold(self):
        make_cold(self.fixture, self.dataset)

    def load(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def journals(self, prefix):
        return {worker: self.load(f"{prefix}.{worker}.json") for worker in range(self.fixture.workers)}


def with_small_files(limit_bytes):
    """For subprocess's preexec_fn: a write beyond the limit fails, like one on a full disk."""

    def apply():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))

    return apply
