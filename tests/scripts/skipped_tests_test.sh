#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# skipped_tests_test.sh CHECKOUT: scripts/skipped-tests names every test that ctest did not run, with its reason.
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(probe NONE)
enable_testing()
add_test(NAME by.code COMMAND sh -c "echo 'skip: no such tool'; exit 77")
add_test(NAME by.code.silently COMMAND sh -c "exit 77")
set_tests_properties(by.code by.code.silently PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME "A/Google.Test/1" COMMAND sh -c "echo 'x.cc:1: Skipped'; echo 'fio is not installed'; echo; echo '[  SKIPPED ] x'")
set_tests_properties("A/Google.Test/1" PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
add_test(NAME passes COMMAND sh -c "echo 'skip: this is only text'")
add_test(NAME fails COMMAND sh -c "exit 1")
add_test(NAME off COMMAND true)
set_tests_properties(off PROPERTIES DISABLED TRUE)
TEXT
cmake -S "$work" -B "$work/build" >/dev/null
ctest --test-dir "$work/build" -O "$work/build/ctest.log" >/dev/null 2>&1 || true

"$root/scripts/skipped-tests" "$work/build" >"$work/said"
cat >"$work/wanted" <<'TEXT'
  by.code: no such tool
  by.code.silently: gave no reason (Skipped)
  A/Google.Test/1: fio is not installed
  off: gave no reason (Disabled)
TEXT
diff -u "$work/wanted" "$work/said"
