# SPDX-License-Identifier: GPL-2.0-only
"""The log is read as strace writes it: split calls joined, every form of fstat one kind, offsets by cursor."""

import os
import tempfile
import unittest

from dataset_calls import dataset_calls, replay_phases, split_phases
from depth import profile
from operation import Operation
from strace_log import filter_log, read_log

CAPTURE = """\
7 100.000001 openat(AT_FDCWD</x>, "/data/a.bin", O_RDONLY|O_CLOEXEC) = 3</data/a.bin> <0.000010>
7 100.000100 newfstatat(3</data/a.bin>, "", {st_mode=S_IFREG|0644, st_size=10, ...}, AT_EMPTY_PATH) = 0 <0.000005>
8 100.000150 read(4</proc/8/io>,  <unfinished ...>
7 100.000200 read(3</data/a.bin>,  <unfinished ...>
8 100.000250 <... read resumed>""..., 4096) = 90 <0.000100>
7 100.000300 <... read resumed>""..., 8) = 8 <0.000100>
7 100.000400 read(3</data/a.bin>, ""..., 8) = 2 <0.000010>
7 100.000500 read(3</data/a.bin>, "", 8) = 0 <0.000010>
7 100.000600 close(3</data/a.bin>) = 0 <0.000010>
7 100.000700 openat(AT_FDCWD</x>, "/data/none.bin", O_RDONLY) = -1 ENOENT (No such file or directory) <0.000010>
7 100.000800 openat(AT_FDCWD</x>, "/database/a.bin", O_RDONLY) = 3</database/a.bin> <0.000010>
7 100.000900 +++ exited with 0 +++
"""

REPLAY = """\
9 5.1 openat2(5</data>, "a.bin", {flags=O_RDONLY|O_CLOEXEC|O_PATH, resolve=RESOLVE_BENEATH}, 24) = 6</data/a.bin> <0.1>
9 5.2 fstat(6</data/a.bin>, {st_mode=S_IFREG|0644, st_size=10, ...}) = 0 <0.1>
9 5.3 close(6</data/a.bin>) = 0 <0.1>
9 5.4 openat2(5</data>, "a.bin", {flags=O_RDONLY|O_CLOEXEC, resolve=RESOLVE_BENEATH}, 24) = 6</data/a.bin> <0.1>
9 5.5 newfstatat(5</data>, "a.bin", {st_mode=S_IFREG|0644, st_size=10, ...}, 0) = 0 <0.1>
9 5.6 pread64(6</data/a.bin>, ""..., 8, 4) = 6 <0.1>
9 5.7 close(6</data/a.bin>) = 0 <0.1>
9 5.8 openat2(5</data>, "a.bin", {flags=O_RDONLY|O_NOCTTY|O_NONBLOCK}, 24) = 6</data/a.bin> <0.1>
9 5.9 close(6</data/a.bin>) = 0 <0.1>
"""


def with_log(text, action):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log")
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        return action(path)


class StraceLog(unittest.TestCase):
    def test_a_capture_becomes_the_operations_on_the_data_set_alone(self):
        log = with_log(CAPTURE, read_log)
        self.assertEqual((log.orphans, log.unread, log.open_ended), (0, [], 0))
        self.assertEqual(
            [found.operation for found in dataset_calls(log, "/data")],
            [
                Operation("OPEN", "a.bin"),
                Operation("FSTAT", "a.bin"),
                Operation("READ", "a.bin", 0, 8, 8),
                Operation("READ", "a.bin", 8, 8, 2),
                Operation("READ", "a.bin", 10, 8, 0),
                Operation("CLOSE", "a.bin"),
                Operation("FAILED", "none.bin"),
            ],
        )

    def test_filtering_keeps_both_halves_and_leaves_orphans_that_are_counted(self):
        def filtered(path):
            filter_log(path, path + ".kept", "/data/")
            return read_log(path + ".kept")

        log = with_log(CAPTURE, filtered)
        self.assertEqual(log.orphans, 1)
        self.assertEqual(sum(call.name == "read" for call in log.calls), 3)

    def test_what_is_no_call_is_told(self):
        self.assertEqual(with_log("7 1.0 nonsense\nmore\n", read_log).unread, ["7 1.0 nonsense\n", "more\n"])

    def test_a_replay_has_its_run_between_preparation_and_evidence(self):
        phases = split_phases(dataset_calls(with_log(REPLAY, read_log), "/data"))
        self.assertEqual([found.operation.kind for found in phases.before], ["OPEN", "FSTAT", "CLOSE"])
        self.assertEqual(
            [found.operation for found in phases.run],
            [
                Operation("OPEN", "a.bin"),
                Operation("STAT", "a.bin"),
                Operation("READ", "a.bin", 4, 8, 6),
                Operation("CLOSE", "a.bin"),
            ],
        )
        self.assertEqual([found.operation.kind for found in phases.after], ["OPEN", "CLOSE"])

    def test_a_stat_below_a_root_is_one_operation_although_it_is_three_calls(self):
        triple = REPLAY.splitlines(keepends=True)[:3]
        before = replay_phases(with_log("".join(triple), read_log), "/data").before
        self.assertEqual(
            [(found.operation, found.call.name) for found in before],
            [(Operation("STAT", "a.bin"), "openat2+fstat+close")],
        )

    def test_three_calls_that_are_no_stat_stay_three(self):
        triple = REPLAY.splitlines(keepends=True)[:3]
        other_file = triple[1].replace("6</data/a.bin>", "7</data/a.bin>")
        not_a_handle = triple[0].replace("|O_PATH", "")
        for calls in ([triple[0], other_file, triple[2]], [not_a_handle, *triple[1:]]):
            phases = replay_phases(with_log("".join(calls), read_log), "/data")
            self.assertEqual(len(phases.before) + len(phases.run), 3)

    def test_a_file_that_is_never_opened_for_data_has_no_run(self):
        text = REPLAY.replace("{flags=O_RDONLY|O_CLOEXEC, ", "{flags=O_RDONLY|O_PATH, ")
        self.assertEqual(split_phases(dataset_calls(with_log(text, read_log), "/data")).run, [])


class Depth(unittest.TestCase):
    def test_spans_that_touch_do_not_overlap(self):
        self.assertEqual(profile([(0, 1), (1, 2)]), {"peak": 1, "mean_while_busy": 1.0})

    def test_the_mean_leaves_out_idle_time(self):
        self.assertEqual(profile([(0, 2), (1, 2), (10, 12)]), {"peak": 2, "mean_while_busy": 1.25})


if __name__ == "__main__":
    unittest.main()
