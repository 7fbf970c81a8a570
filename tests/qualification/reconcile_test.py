# SPDX-License-Identifier: GPL-2.0-only
"""The reconciler names the dimension that differs, and no other."""

import unittest

from operation import Operation
from reconcile import reconcile, reconcile_sequence

READS = [Operation("READ", "a", 4 * place, 4, 4) for place in range(5)]


class Reconcile(unittest.TestCase):
    def flagged(self, seen, expected=None):
        return dict(reconcile_sequence(expected or READS, seen))

    def test_equal_sequences_have_no_mismatch(self):
        self.assertEqual(self.flagged(list(READS)), {})

    def test_one_changed_field_is_flagged_once_under_its_name(self):
        for field, value in {"kind": "CLOSE", "path": "b", "offset": 5, "requested": 3, "returned": 0}.items():
            with self.subTest(field):
                seen = list(READS)
                seen[2] = seen[2]._replace(**{field: value})
                self.assertEqual(self.flagged(seen), {field: 1})

    def test_operations_that_changed_places_are_out_of_order_and_nothing_else(self):
        seen = [READS[0], READS[2], READS[1], *READS[3:]]
        self.assertEqual(self.flagged(seen), {"order": 2})

    def test_a_lost_operation_is_a_difference_of_count_although_all_after_it_are_shifted(self):
        self.assertEqual(self.flagged(READS[1:]), {"count": 1})
        self.assertEqual(self.flagged(READS[:2] + READS[3:]), {"count": 1})
        self.assertEqual(self.flagged(READS[:-1]), {"count": 1})

    def test_an_operation_that_was_done_twice_is_a_difference_of_count(self):
        self.assertEqual(self.flagged([READS[0], *READS]), {"count": 1})
        self.assertEqual(self.flagged([*READS, READS[0]]), {"count": 1})

    def test_a_lost_operation_does_not_hide_a_changed_order(self):
        self.assertEqual(self.flagged([READS[1], READS[0], *READS[2:4]]), {"count": 1, "order": 1})

    def test_an_empty_sequence_is_no_match(self):
        self.assertEqual(self.flagged([]), {"count": 5})

    def test_a_worker_that_only_one_side_has_is_a_difference_of_count(self):
        self.assertEqual(reconcile({0: READS}, {0: READS, None: READS[:1]}), {"count": 1})
        self.assertEqual(reconcile({0: READS, 1: READS}, {0: READS}), {"count": 5})


if __name__ == "__main__":
    unittest.main()
