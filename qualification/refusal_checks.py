# SPDX-License-Identifier: GPL-2.0-only
"""Q18-Q21 and Q25: what must not be measured, must not be opened, must not be lost, and must come out the same."""

import os
import shutil

from session import with_small_files
from trace_file import Trace, digest

EXTRA_BYTES = 1000


def snapshot(path):
    status = os.stat(path)
    return digest(path), status.st_mtime_ns, status.st_ino


def has_nameless_files(folder):
    """Only such a file is gone with the program that writes it."""
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600))
    except OSError:
        return False
    return True


class RefusalChecks:
    def __init__(self, session):
        self.session = session
        self.fixture = session.fixture
        self.victim = session.fixture.shard_name(0)

    def measure(self, evidence):
        evidence.measure("Q18", "a missing, short or oversized target makes a run invalid, to the byte", self.q18)
        evidence.measure("Q19", "a trace without its last 3 operations is refused, naming num_ops", self.q19)
        evidence.measure("Q20", "a target outside of the root is refused before it is opened", self.q20)
        evidence.measure("Q21", "an output that cannot be finished leaves the one before, and no other file", self.q21)
        evidence.measure("Q25", "the same seed gives the same trace, another seed another", self.q25)

    # Q18

    def broken_copy(self, name, spoil):
        """The data set with its first shard spoilt; the others are links, since only reading is done to them."""
        folder = self.session.path(f"broken_{name}")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for shard in range(1, self.fixture.shards):
            os.link(*(os.path.join(at, self.fixture.shard_name(shard)) for at in (self.session.dataset, folder)))
        victim = os.path.join(folder, self.victim)
        shutil.copy(os.path.join(self.session.dataset, self.victim), victim)
        spoil(victim)
        return folder

    def run_broken(self, folder, prepare):
        """Exit status, whether the message names the spoilt target, and the result if there is one."""
        target_map = self.session.path("broken.yaml")
        with open(target_map, "w", encoding="utf-8") as file:
            file.write(f'target_rewrite:\n  - from: "{self.session.dataset}/"\n    to: "{folder}/"\n')
        output = self.session.path("broken.json")
        if os.path.exists(output):
            os.unlink(output)
        more = ("--target-map", target_map)
        command = self.session.replay("broken.json", root=folder, cache="none", prepare=prepare, more=more)
        run = self.session.run(*command)
        result = self.session.load("broken.json") if os.path.exists(output) else None
        return run.returncode, self.victim in run.stdout, result

    def q18(self):
        size, block = self.fixture.shard_bytes, self.fixture.block_bytes
        reads = self.fixture.full_blocks + 1
        total = self.fixture.total_bytes
        cases = {  # how it is spoilt, bytes that remain to be moved, operations that fail
            "missing": (os.unlink, total - size, reads + 3),
            "short": (lambda path: os.truncate(path, block + 1), total - size + block + 1, reads - 1),
            "oversized": (lambda path: os.truncate(path, size + EXTRA_BYTES), total + EXTRA_BYTES, 1),
        }
        observed, expected = {}, {}
        for name, (spoil, moved, errors) in cases.items():
            folder = self.broken_copy(name, spoil)
            status, named, result = self.run_broken(folder, "assume-existing")
            observed[f"{name}, checked first"] = {"exit": status, "named": named, "result_written": result is not None}
            expected[f"{name}, checked first"] = {"exit": 1, "named": True, "result_written": False}
            status, _, result = self.run_broken(folder, "none")
            account = {"bytes": result["bytes_moved"], "errors": result["errors"]}
            observed[f"{name}, not checked"] = {"exit": status} | account
            expected[f"{name}, not checked"] = {"exit": 1, "bytes": moved, "errors": errors}
            shutil.rmtree(folder)
        return observed, expected, (
            "that an invalid result cannot be compared is not measured: ioflux compares no two results yet"
        )

    # Q19

    def q19(self):
        trace = Trace.read(self.session.path("imported.ioflux"))
        del trace.ops[-3:]
        trace.write(self.session.path("cut.ioflux"))
        validated = self.session.ioflux("validate", self.session.path("cut.ioflux"))
        run = self.session.run(*self.session.replay("cut.json", trace="cut.ioflux", cache="none"))
        observed = {
            "validate": {"exit": validated.returncode, "named": "num_ops" in validated.stdout},
            "run": {"exit": run.returncode, "named": "num_ops" in run.stdout},
            "result_written": os.path.exists(self.session.path("cut.json")),
        }
        refused = {"exit": 1, "named": True}
        return observed, {"validate": refused, "run": refused, "result_written": False}

    # Q20

    def q20(self):
        root, outside = self.session.path("root"), self.session.path("outside")
        for folder in (root, outside):
            os.makedirs(folder, exist_ok=True)
        secret = os.path.join(outside, "secret.bin")
        with open(secret, "wb") as file:
            file.write(b"untouched" * 1000)
        link = os.path.join(root, "link")
        if not os.path.islink(link):
            os.symlink(outside, link)
        escapes = {
            "dots": os.path.join(root, "..", "outside", "secret.bin"),
            "symbolic link": os.path.join(link, "secret.bin"),
            "absolute": secret,
        }
        before = snapshot(secret)
        observed = {name: self.escape(target, root, secret) for name, target in escapes.items()}
        observed["outside_unchanged"] = snapshot(secret) == before
        expected = dict.fromkeys(escapes, {"exit": 1, "opened": 0, "result_written": False})
        return observed, expected | {"outside_unchanged": True}

    def escape(self, target, root, secret):
        """Replays a trace that writes to `target`; tells how often the file outside was really opened."""
        header = {"ioflux_trace_version": 1, "kind": "synthetic", "time_unit": "ns", "scrubbed": False}
        header["targets"] = [{"id": 0, "name": target, "kind": "file", "size": 9000}]
        header["summary"] = {"num_ops": 3, "num_streams": 1, "num_groups": 0, "total_bytes": 512, "duration_ns": 2}
        ops = [
            {"t": 0, "op_id": 0, "s": 0, "op": "OPEN", "tgt": 0, "h": 0, "mode": "rw", "flags": ["create", "trunc"]},
            {"t": 1, "op_id": 1, "s": 0, "op": "WRITE", "h": 0, "off": 0, "len": 512},
            {"t": 2, "op_id": 2, "s": 0, "op": "CLOSE", "h": 0},
        ]
        Trace(header, ops).write(self.session.path("escape.ioflux"))
        output = self.session.path("escape.json")
        command = self.session.replay("escape.json", trace="escape.ioflux", root=root, cache="none", prepare="none")
        log = self.session.path("escape.full")
        run = self.session.run("strace", "-f", "-y", "-e", "trace=open,openat,openat2,creat", "-o", log, *command)
        with open(log, encoding="utf-8", errors="replace") as file:
            opened = sum(line.rstrip().endswith(f"<{secret}>") for line in file)
        return {"exit": run.returncode, "opened": opened, "result_written": os.path.exists(output)}

    # Q21

    def generate(self, output, seed="1"):
        shape = ("--shards", "64", "--shard-size", "64MiB", "--record-size", "64KiB", "--seed", seed)
        return (self.session.ioflux_program, "gen", "training-read", *shape, "-o", output)

    def q21(self):
        folder = self.session.path("output")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        output = os.path.join(folder, "kept.ioflux")
        with open(output, "wb") as file:
            file.write(b"the output before\n")
        before = snapshot(output)
        command = self.generate(output)
        inject = ("strace", "-f", "-o", "/dev/null", "-e")
        cases = {
            "the disk is full": (command, {"preexec_fn": with_small_files(100_000)}),
            "fsync fails": ((*inject, "inject=fsync:error=EIO", *command), {}),
            "rename fails": ((*inject, "inject=rename,renameat,renameat2:error=EIO", *command), {}),
        }
        # Where a file system has no files without a name, the temporary one has a name and is removed.
        named = ("strace", "-f", "-o", self.session.path("named.log"), "-P", folder + "/", "-e", "trace=openat")
        named += ("-e", "inject=openat:error=EOPNOTSUPP")
        cases["the disk is full, files have names"] = ((*named, *command), {"preexec_fn": with_small_files(100_000)})
        if has_nameless_files(folder):
            cases["killed"] = ((*inject, "inject=write:signal=KILL:when=2", *command), {})
        observed = {}
        for name, (arguments, options) in cases.items():
            run = self.session.run(*arguments, **options)
            kept = os.path.exists(output) and snapshot(output) == before
            others = len(os.listdir(folder)) - 1
            observed[name] = {"failed": run.returncode != 0, "kept": kept, "other_files": others}
            for other in os.listdir(folder):
                if other != os.path.basename(output):
                    os.unlink(os.path.join(folder, other))
        with open(self.session.path("named.log"), encoding="utf-8") as file:
            observed["names_were_forced"] = "(INJECTED)" in file.read()
        reason = "" if "killed" in cases else "killing is not measured: the file system has no files without a name"
        expected = dict.fromkeys(cases, {"failed": True, "kept": True, "other_files": 0})
        return observed, expected | {"names_were_forced": True}, reason

    # Q25

    def q25(self):
        digests = {}
        for name, seed in (("first", "7"), ("again", "7"), ("other", "8")):
            path = self.session.path(f"seed_{name}.ioflux")
            command = self.generate(path, seed)
            self.session.must_run(*command)
            digests[name] = digest(path)
        observed = {
            "same_seed_same_bytes": digests["first"] == digests["again"],
            "other_seed_other_bytes": digests["first"] != digests["other"],
        }
        return observed, dict.fromkeys(observed, True), (
            "seeds of generated traces; a random order of trials and its warm-ups are not measured: ioflux has none yet"
        )
