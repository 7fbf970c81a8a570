#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""results_page.py EVIDENCE… — writes RESULTS.md to standard output, from evidence alone.

No figure of the page has another source, so that none can outlive its evidence.
"""

import json
import sys

HEAD = """<!-- SPDX-License-Identifier: GPL-2.0-only -->
# Results of the qualification

Made by `qualification/results_page.py` from what `qualification/qualify` measured; do not edit. What the \
checks mean is in [README.md](README.md).
"""

VERDICT = {"match": "match", "mismatch": "**MISMATCH**", "not_measured": "not measured"}


def number(value):
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def words(value):
    """A value of the evidence as text for a cell of a table."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {words(entry)}" for name, entry in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(words(entry) for entry in value) or "none"
    return "none" if value is None else number(value)


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def observed(check):
    return "; ".join(f"{name.replace('_', ' ')}: {words(value)}" for name, value in check["observed"].items())


def row(check):
    required = "" if check["required"] else " (not required)"
    cells = (check["id"], check["criterion"], VERDICT[check["verdict"]] + required, observed(check), check["reason"])
    return "| " + " | ".join(cell(text) for text in cells) + " |"


def section(evidence):
    fixture, checks = evidence["fixture"], evidence["checks"]
    required = [check for check in checks if check["required"]]
    matching = sum(check["verdict"] == "match" for check in required)
    shape = (
        f"{fixture['workers']} processes read {fixture['shards']} files of {number(fixture['shard_bytes'])} bytes in "
        f"blocks of {number(fixture['block_bytes'])}."
    )
    host = {name: value for name, value in evidence["host"].items() if name != "privileged"}
    lines = [
        f"## {fixture['name']}",
        "",
        f"{shape} {matching} of {len(required)} required checks match.",
        "",
        f"* Host: {words(host)}, run {'as root' if evidence['host']['privileged'] else 'without privileges'}",
        f"* Tools: {words(evidence['tools'])}",
        "",
        "| Check | Criterion | Verdict | Observed | Remark |",
        "|---|---|---|---|---|",
        *(row(check) for check in checks),
    ]
    for check in checks:
        if check["residual"]:
            lines += ["", f"{check['id']} differs: {words(check['residual'])}"]
    return "\n".join(lines) + "\n"


def page(every):
    return "\n".join([HEAD, *(section(evidence) for evidence in every)])


def main(paths):
    if not paths or paths[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    every = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            every.append(json.load(file))
    sys.stdout.write(page(every))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
