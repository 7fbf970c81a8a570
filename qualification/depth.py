# SPDX-License-Identifier: GPL-2.0-only
"""How many calls were in flight at the same time."""


def profile(spans):
    """Peak depth, and the mean depth while anything was in flight, of [start, end] pairs.

    A span that ends where another starts does not overlap it: ends come first."""
    edges = sorted([(start, 1) for start, _ in spans] + [(end, -1) for _, end in spans])
    depth = peak = 0
    busy = weighted = 0.0
    last = None
    for time, step in edges:
        if depth > 0:
            busy += time - last
            weighted += depth * (time - last)
        depth += step
        peak = max(peak, depth)
        last = time
    return {"peak": peak, "mean_while_busy": round(weighted / busy, 3) if busy else 0.0}
