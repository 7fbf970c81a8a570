# SPDX-License-Identifier: GPL-2.0-only
"""What the fixture must do, computed from its constants. Observes nothing."""

from operation import Operation


def shard_sequence(fixture, shard):
    """Open, fstat, read until a read returns nothing, close."""
    path = fixture.shard_name(shard)
    yield Operation("OPEN", path)
    yield Operation("FSTAT", path)
    offset = 0
    while True:
        returned = min(fixture.block_bytes, fixture.shard_bytes - offset)
        yield Operation("READ", path, offset, fixture.block_bytes, returned)
        if returned == 0:
            break
        offset += returned
    yield Operation("CLOSE", path)


def worker_sequence(fixture, worker):
    return [op for shard in fixture.shards_of(worker) for op in shard_sequence(fixture, shard)]


def sequences(fixture):
    """The operations of every worker, in its order."""
    return {worker: worker_sequence(fixture, worker) for worker in range(fixture.workers)}


def totals(by_worker):
    """The figures that identify a workload."""
    every = [op for operations in by_worker.values() for op in operations]
    reads = [op for op in every if op.kind == "READ"]
    return {
        "ops": len(every),
        "opens": sum(op.kind == "OPEN" for op in every),
        "fstats": sum(op.kind == "FSTAT" for op in every),
        "closes": sum(op.kind == "CLOSE" for op in every),
        "reads": len(reads),
        "full_reads": sum(0 < op.returned == op.requested for op in reads),
        "short_reads": sum(0 < op.returned < op.requested for op in reads),
        "eof_reads": sum(op.returned == 0 for op in reads),
        "bytes": sum(op.returned for op in reads),
    }


# As stated when the fixtures were declared. Not computed: they hold the arithmetic above to its word.
DECLARED_TOTALS = {
    "qual-01": {
        "ops": 1184,
        "opens": 32,
        "fstats": 32,
        "closes": 32,
        "reads": 1088,
        "full_reads": 1024,
        "short_reads": 32,
        "eof_reads": 32,
        "bytes": 272_000_000,
        "device_bytes": 272_105_472,
    },
    "qual-01s": {
        "ops": 168,
        "opens": 8,
        "fstats": 8,
        "closes": 8,
        "reads": 144,
        "full_reads": 128,
        "short_reads": 8,
        "eof_reads": 8,
        "bytes": 8_800_000,
        "device_bytes": 8_814_592,
    },
}
