#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""reader.py FIXTURE DATASET JOURNAL

The program whose I/O is qualified: one process for each worker, which reads its shards with bare system calls, no
buffer and no pool between (a pool would read pipes). After the phase each worker writes JOURNAL.N.json: every call
it made, and what the kernel counted for the process around them.
"""

import json
import mmap
import os
import sys
import time

from fixture import FIXTURES

IO_BYTES = 4096  # more than /proc/self/io ever holds


def io_snapshot():
    """The kernel's counters of this process, with exactly one read call, which the next snapshot counts."""
    descriptor = os.open("/proc/self/io", os.O_RDONLY)
    text = os.read(descriptor, IO_BYTES)
    os.close(descriptor)
    return text


def counters(text):
    return {key: int(value) for key, value in (line.split(": ") for line in text.decode().splitlines())}


def kernel_account(snapshots):
    """What the kernel saw between the second and the third snapshot, less the second snapshot's own read."""
    before, start, end = (counters(text) for text in snapshots)
    return {
        "reads": end["syscr"] - start["syscr"] - 1,
        "bytes": end["rchar"] - start["rchar"] - len(snapshots[1]),
        "device_bytes": end["read_bytes"] - start["read_bytes"],
        # Of two snapshots back to back the second sees the first's read and nothing else.
        "snapshot_reads": start["syscr"] - before["syscr"],
        "snapshot_surplus_bytes": start["rchar"] - before["rchar"] - len(snapshots[0]),
    }


def read_shard(fixture, folder, shard, journal):
    name = fixture.shard_name(shard)
    descriptor = os.open(os.path.join(folder, name), os.O_RDONLY)
    journal.append(("OPEN", name, 0, 0, 0))
    os.fstat(descriptor)
    journal.append(("FSTAT", name, 0, 0, 0))
    offset = 0
    checksum = 0
    while True:
        block = os.read(descriptor, fixture.block_bytes)
        journal.append(("READ", name, offset, fixture.block_bytes, len(block)))
        if not block:
            break
        offset += len(block)
        checksum += sum(block[::64])  # the computation between the reads
    os.close(descriptor)
    journal.append(("CLOSE", name, 0, 0, 0))
    return checksum


def wait_for_all(ready, worker):
    """Workers start together. Shared memory and sleeping, since anything else would read."""
    ready[worker] = 1
    while 0 in ready[:]:
        time.sleep(0.0005)


def run_worker(fixture, folder, prefix, worker, ready):
    journal = []
    wait_for_all(ready, worker)
    snapshots = [io_snapshot(), io_snapshot()]
    checksum = sum(read_shard(fixture, folder, shard, journal) for shard in fixture.shards_of(worker))
    snapshots.append(io_snapshot())
    with open(f"{prefix}.{worker}.json", "w", encoding="ascii") as file:
        json.dump({"checksum": checksum, "operations": journal, "kernel": kernel_account(snapshots)}, file)


def main(name, folder, prefix):
    fixture = FIXTURES[name]
    ready = mmap.mmap(-1, fixture.workers)
    workers = []
    for worker in range(fixture.workers):
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                run_worker(fixture, folder, prefix, worker, ready)
                status = 0
            finally:
                os._exit(status)
        workers.append(pid)
    return int(any([os.waitpid(pid, 0)[1] for pid in workers]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
