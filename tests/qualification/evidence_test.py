# SPDX-License-Identifier: GPL-2.0-only
"""Silence is no pass: what was not measured, broke off or compared nothing never ends with 0."""

import os
import tempfile
import unittest

import oracle
from evidence import MISMATCH, NOT_MEASURED, Evidence, NotMeasured
from fixture import FIXTURES, make_dataset
from results_page import page

SHAPE = {"name": "f", "shards": 2, "shard_bytes": 1_000, "block_bytes": 300, "workers": 1}


def evidence_of(*checks):
    evidence = Evidence(SHAPE, {"kernel": "Linux 6.1", "privileged": False}, {"fio": "fio-3.33"})
    for place, (check, required) in enumerate(checks):
        evidence.measure(f"C{place}", "a criterion", check, required)
    return evidence


def good():
    return {"reads": 3}, {"reads": 3}


def bad():
    return {"reads": 2}, {"reads": 3}


def absent(required=True):
    def check():
        raise NotMeasured("no device", required=required)

    return check


def broken():
    raise KeyError("errors")


class EvidenceTest(unittest.TestCase):
    def test_exit_status_is_the_worst_of_the_required_checks(self):
        cases = (
            ([(good, True)], 0),
            ([(good, True), (bad, True)], 1),
            ([(good, True), (absent(), True)], 77),
            ([(bad, True), (absent(), True)], 1),
            ([(good, True), (absent(required=False), True)], 0),
            ([(good, True), (bad, False)], 0),
            ([(good, True), (broken, True)], 1),
            ([(good, True), (lambda: ({}, {}), True)], 1),  # compared nothing
            ([], 77),
        )
        for checks, status in cases:
            with self.subTest(status=status, checks=len(checks)):
                self.assertEqual(evidence_of(*checks).exit_status(), status)

    def test_a_residual_names_what_differs(self):
        check = evidence_of((bad, True)).checks[0]
        self.assertEqual(check["verdict"], MISMATCH)
        self.assertEqual(check["residual"], {"reads": {"observed": 2, "expected": 3}})

    def test_what_was_not_measured_has_its_reason(self):
        check = evidence_of((absent(), True)).checks[0]
        self.assertEqual((check["verdict"], check["reason"]), (NOT_MEASURED, "no device"))

    def test_the_page_shows_every_check_with_its_verdict(self):
        text = page([evidence_of((good, True), (bad, True), (absent(), True)).document])
        self.assertIn("1 of 3 required checks match", text)
        self.assertIn("| C0 | a criterion | match | reads: 3 |", text)
        self.assertIn("| C1 | a criterion | **MISMATCH** |", text)
        self.assertIn("| C2 | a criterion | not measured |  | no device |", text)


class Fixtures(unittest.TestCase):
    def test_the_oracle_has_the_declared_totals(self):
        for name, fixture in FIXTURES.items():
            totals = oracle.totals(oracle.sequences(fixture)) | {"device_bytes": fixture.device_bytes}
            self.assertEqual(totals, oracle.DECLARED_TOTALS[name])

    def test_a_shard_names_its_worker_and_nothing_else_does(self):
        fixture = FIXTURES["qual-01"]
        self.assertEqual([fixture.worker_of(fixture.shard_name(shard)) for shard in (0, 5, 31)], [0, 1, 3])
        for stranger in ("shard_0032.bin", "shard_x.bin", "shard_0001.bak", "other"):
            self.assertIsNone(fixture.worker_of(stranger))

    def test_the_data_set_is_the_same_every_time_and_no_shard_like_another(self):
        fixture = FIXTURES["qual-01s"]
        contents = []
        for _ in range(2):
            with tempfile.TemporaryDirectory() as folder:
                make_dataset(fixture, folder)
                for shard in range(fixture.shards):
                    with open(os.path.join(folder, fixture.shard_name(shard)), "rb") as file:
                        contents.append(file.read())
        self.assertEqual(contents[: fixture.shards], contents[fixture.shards :])
        self.assertEqual({len(content) for content in contents}, {fixture.shard_bytes})
        self.assertEqual(len(set(contents)), fixture.shards)


if __name__ == "__main__":
    unittest.main()
