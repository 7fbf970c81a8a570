# SPDX-License-Identifier: GPL-2.0-only
"""What a verdict depends on: the kernel, the file system, the versions of the tools. No name of host or folder."""

import os
import platform
import subprocess

NO_DEVICE = ("tmpfs", "ramfs")


def mount_of(folder):
    """The type of the file system below `folder`: of the mount with the longest name that is a parent of it."""
    folder = os.path.realpath(folder)
    best, kind = "", "unknown"
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        for line in file:
            before, after = line.split(" - ", 1)
            point = before.split()[4].encode().decode("unicode_escape")
            inside = folder == point or folder.startswith(point.rstrip("/") + "/")
            if inside and len(point) >= len(best):
                best, kind = point, after.split()[0]
    return kind


def has_device(folder):
    return mount_of(folder) not in NO_DEVICE


def version_of(program):
    """What `--version` says last in its first line: programs disagree on what comes before."""
    result = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return (result.stdout or result.stderr).split("\n")[0].split()[-1].removeprefix("fio-")


def host_facts(folder):
    return {
        "kernel": f"{platform.system()} {platform.release().split('-')[0]}",
        "architecture": platform.machine(),
        "processors": len(os.sched_getaffinity(0)),
        "filesystem": mount_of(folder),
        "privileged": os.geteuid() == 0,
    }


def tool_versions(session):
    return {
        "ioflux": version_of(session.ioflux_program),
        "fio": version_of(session.fio_program),
        "strace": version_of("strace"),
        "python": platform.python_version(),
        "libc": " ".join(platform.libc_ver()),
    }
