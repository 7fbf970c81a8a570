# SPDX-License-Identifier: GPL-2.0-only
"""One operation on a file of the data set, as every instrument of the qualification tells it."""

import typing


class Operation(typing.NamedTuple):
    """`path` is the name within the data set. Only a READ has an offset, a request and a result."""

    kind: str  # OPEN, FSTAT, READ or CLOSE
    path: str
    offset: int = 0
    requested: int = 0
    returned: int = 0


def without_eof_reads(operations):
    """A read of 0 bytes tells a program that a file has ended; a trace may leave it out, and says so."""
    return [op for op in operations if not (op.kind == "READ" and op.returned == 0)]
