# SPDX-License-Identifier: GPL-2.0-only
"""The fixtures: a data set, and how a program reads it. Every value is pinned; another value is another fixture."""

import dataclasses
import os
import random

PAGE_BYTES = 4096
REPEATED_BYTES = 1 << 20  # a shard repeats this much of its own noise: unlike any other shard, and cheap to make
FIRST_SEED = 1000


@dataclasses.dataclass(frozen=True)
class Fixture:
    """`workers` processes read `shards` files of `shard_bytes` in blocks of `block_bytes`, which leave a rest."""

    name: str
    shards: int
    shard_bytes: int
    block_bytes: int
    workers: int

    def shard_name(self, shard):
        return f"shard_{shard:04d}.bin"

    def shards_of(self, worker):
        """Ascending, and such that the number of a shard names its worker."""
        return range(worker, self.shards, self.workers)

    def worker_of(self, path):
        """The worker that owns a file of the data set, by its name alone; None for any other name."""
        stem, _, end = os.path.basename(path).partition(".")
        number = stem.removeprefix("shard_")
        if end != "bin" or not number.isdecimal() or int(number) >= self.shards:
            return None
        return int(number) % self.workers

    @property
    def full_blocks(self):
        return self.shard_bytes // self.block_bytes

    @property
    def tail_bytes(self):
        return self.shard_bytes % self.block_bytes

    @property
    def total_bytes(self):
        return self.shards * self.shard_bytes

    @property
    def device_bytes(self):
        """What a device must deliver for a cold read: whole pages."""
        return self.shards * (-(-self.shard_bytes // PAGE_BYTES) * PAGE_BYTES)


FIXTURES = {
    fixture.name: fixture
    for fixture in (
        Fixture("qual-01", shards=32, shard_bytes=8_500_000, block_bytes=262_144, workers=4),
        Fixture("qual-01s", shards=8, shard_bytes=1_100_000, block_bytes=65_536, workers=2),
    )
}


def make_dataset(fixture, folder):
    """Writes the shards into `folder`, on disk when it returns: a dirty page cannot be dropped from the cache."""
    os.makedirs(folder, exist_ok=True)
    for shard in range(fixture.shards):
        noise = random.Random(FIRST_SEED + shard).randbytes(REPEATED_BYTES)
        content = (noise * -(-fixture.shard_bytes // REPEATED_BYTES))[: fixture.shard_bytes]
        with open(os.path.join(folder, fixture.shard_name(shard)), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())


def each_shard(fixture, folder, action):
    for shard in range(fixture.shards):
        descriptor = os.open(os.path.join(folder, fixture.shard_name(shard)), os.O_RDONLY)
        try:
            action(descriptor)
        finally:
            os.close(descriptor)


def make_cold(fixture, folder):
    """Asks for the shards to leave the page cache. Whether they did, only device bytes tell."""

    def drop(descriptor):
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)

    each_shard(fixture, folder, drop)
