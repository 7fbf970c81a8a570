#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# usage_test.sh CHECKOUT: every script that can be started says what it is for and touches nothing: with --help
# and -h on standard output and 0, with an unknown option or too many words on standard error and 2.
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/here"
cd "$work/here"
failures=0

fail() {
  echo "FAIL: $*"
  failures=$((failures + 1))
}

expect() { # exit code, the stream that has the usage, the one that is empty; then the script and its words
  code=$1 said=$2 silent=$3
  shift 3
  status=0
  timeout 20 "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
  [ "$status" -eq "$code" ] || fail "$* ended with $status, not $code"
  grep -q "$(basename "$1")" "$work/$said" || fail "$* does not name itself on $said"
  [ "$(wc -l <"$work/$said")" -ge 3 ] || fail "$* says too little on $said"
  ! grep -qE '^#|SPDX' "$work/$said" || fail "$* shows marks of its comment"
  [ -z "$silent" ] || [ ! -s "$work/$silent" ] || fail "$* printed on $silent"
  [ -z "$(ls -A)" ] || {
    fail "$* left behind: $(ls -A)"
    rm -rf "$work/here" && mkdir "$work/here" && cd "$work/here"
  }
}

count=0
for script in "$root"/scripts/* "$root"/bench/*.sh; do
  [ -x "$script" ] || continue
  count=$((count + 1))
  expect 0 out err "$script" --help
  expect 0 out err "$script" -h
  expect 0 out err "$script" some words more than any takes --help
  expect 2 err out "$script" --no-such-option
  expect 2 err out "$script" -x
  expect 2 err out "$script" ""
  expect 2 err out "$script" some words more than any takes
done
expect 2 err out "$root/scripts/fetch-fio-source"
expect 2 err out "$root/scripts/skipped-tests"
expect 2 err out "$root/scripts/test" quick
expect 2 err out "$root/scripts/test" --quick --full

[ "$count" -ge 9 ] || fail "only $count scripts were found"
[ "$failures" -eq 0 ]
