# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# For the tests of how the source of fio is found: a tree that looks like fio's to the build, an apt that knows
# of one source only, and checks. Sourced, with $1 the root of the checkout; leaves a folder $work.

root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

skip() {
  echo "skip: $1"
  exit 77
}

fail() {
  echo "FAIL: $1"
  failures=$((failures + 1))
}

expect_in() { # file, words
  grep -qF -- "$2" "$1" || {
    fail "'$2' is not in the output:"
    sed 's/^/    /' "$1"
  }
}

make_tree() { # folder, version
  mkdir -p "$1"
  echo 'struct thread_data { int thread_number; };' >"$1/fio.h"
  touch "$1/ioengines.h" "$1/optgroup.h" "$1/fio_time.h"
  printf '#!/bin/sh\nDEF_VER=%s\n' "$2" >"$1/FIO-VERSION-GEN"
}

# Every apt of this process reads sources from here instead of the system's.
use_apt_with() { # file name below sources.list.d, its text
  rm -rf "$work/apt"
  mkdir -p "$work/apt/sources.list.d" "$work/apt/lists/partial"
  printf '%s\n' "$2" >"$work/apt/sources.list.d/$1"
  cat >"$work/apt.conf" <<CONF
Dir::Etc "$work/apt";
Dir::State::lists "$work/apt/lists";
CONF
  export APT_CONFIG="$work/apt.conf"
}
