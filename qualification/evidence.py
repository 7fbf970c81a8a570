# SPDX-License-Identifier: GPL-2.0-only
"""What the checks have shown, and what follows from it."""

import json
import subprocess

MATCH = "match"
MISMATCH = "mismatch"
NOT_MEASURED = "not_measured"

EXIT_GOOD, EXIT_MISMATCH, EXIT_SKIP = 0, 1, 77


# What a tool that fails, or an output that is not as it should be, raises. A check that breaks off is no pass.
BROKEN = (RuntimeError, OSError, ValueError, LookupError, TypeError, AttributeError, subprocess.TimeoutExpired)


class NotMeasured(Exception):
    """A check cannot be made here; the text says why. `required` False: the checks do not need it to be made."""

    def __init__(self, reason, required=True):
        super().__init__(reason)
        self.required = required


class Evidence:
    """The checks in the order in which they were made. Silence is no pass: a check that ran has a residual of zero or
    is a mismatch, and one that did not run is not_measured with its reason."""

    def __init__(self, fixture, host, tools):
        self.document = {
            "artifact": "qualification_evidence",
            "evidence_version": 1,
            "fixture": fixture,
            "host": host,
            "tools": tools,
            "checks": [],
        }

    @property
    def checks(self):
        return self.document["checks"]

    def add(self, identifier, criterion, verdict, required=True, observed=None, residual=None, reason=""):
        entry = {"id": identifier, "criterion": criterion, "observed": observed or {}, "residual": residual or {}}
        entry |= {"verdict": verdict, "required": required, "reason": reason}
        self.checks.append(entry)

    def measure(self, identifier, criterion, check, required=True):
        """`check` returns what was observed, what should have been (both by name), and a remark; the residual is
        every name of the second that the first has otherwise."""
        try:
            observed, expected, *reason = check()
        except NotMeasured as cause:
            self.add(identifier, criterion, NOT_MEASURED, required and cause.required, reason=str(cause))
            return
        except BROKEN as cause:
            self.add(identifier, criterion, MISMATCH, required, reason=f"the check broke off: {cause!r}")
            return
        residual = {
            name: {"observed": observed.get(name), "expected": value}
            for name, value in expected.items()
            if observed.get(name) != value
        }
        verdict = MISMATCH if residual or not expected else MATCH
        self.add(identifier, criterion, verdict, required, observed, residual, reason[0] if reason else "")

    def exit_status(self):
        """One mismatch of a required check outweighs everything; a required check that could not be made is no pass."""
        verdicts = {check["verdict"] for check in self.checks if check["required"]}
        if MISMATCH in verdicts:
            return EXIT_MISMATCH
        return EXIT_SKIP if NOT_MEASURED in verdicts or not verdicts else EXIT_GOOD

    def write(self, path):
        self.document["exit_status"] = self.exit_status()
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.document, file, indent=2)
            file.write("\n")
