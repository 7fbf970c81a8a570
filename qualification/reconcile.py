# SPDX-License-Identifier: GPL-2.0-only
"""Compares what was seen with what was expected, and says in which dimension they differ."""

import collections

DIMENSIONS = ("count", "kind", "path", "offset", "requested", "returned", "order")
FIELDS = ("kind", "path", "offset", "requested", "returned")


def left_over(expected, seen):
    """The operations of each that the other does not have, in their order."""
    missing = collections.Counter(expected)
    missing.subtract(collections.Counter(seen))
    lacking, surplus = [], []
    for operations, sign, out in ((expected, 1, lacking), (seen, -1, surplus)):
        for op in reversed(operations):
            if missing[op] * sign > 0:
                missing[op] -= sign
                out.append(op)
        out.reverse()
    return lacking, surplus


def reconcile_sequence(expected, seen):
    """Counts of mismatches by dimension.

    Place by place, operations that differ are set apart. Those that the other side has too, at another place, are
    out of order and nothing else. The rest are paired in their order, and each field that differs counts; what
    cannot be paired is a difference of count.
    """
    found = collections.Counter()
    length = min(len(expected), len(seen))
    places = [place for place in range(length) if expected[place] != seen[place]]
    rest_expected = [expected[place] for place in places] + expected[length:]
    rest_seen = [seen[place] for place in places] + seen[length:]
    lacking, surplus = left_over(rest_expected, rest_seen)
    if len(lacking) == len(surplus):
        found["order"] += len(rest_seen) - len(surplus)
    else:  # everything after a lost or added operation is shifted, which is no change of order
        found["count"] += abs(len(lacking) - len(surplus))
        if without(expected, lacking) != without(seen, surplus):
            found["order"] += 1
    for one, other in zip(lacking, surplus):
        for field in FIELDS:
            found[field] += getattr(one, field) != getattr(other, field)
    return +found


def without(operations, removed):
    """`operations` less those of `removed`, the last of equal ones first."""
    counts = collections.Counter(removed)
    kept = []
    for op in reversed(operations):
        if counts[op] > 0:
            counts[op] -= 1
        else:
            kept.append(op)
    return kept[::-1]


def reconcile(expected, seen):
    """The same for all workers together. A worker that only one side has differs in count."""
    found = collections.Counter()
    for worker in expected.keys() | seen.keys():
        found += reconcile_sequence(list(expected.get(worker, ())), list(seen.get(worker, ())))
    return {dimension: found[dimension] for dimension in DIMENSIONS if found[dimension]}
