#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# cmake/FindFioSource.cmake: which tree it takes and what it says when it can take none.
set -eu
. "$(dirname "$0")/fake_fio_source.sh"

command -v fio >/dev/null || skip "fio is not installed"
installed=$(fio --version)

mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.25)
project(probe LANGUAGES C)
list(APPEND CMAKE_MODULE_PATH $root/cmake)
find_package(FioSource REQUIRED)
message(STATUS "built for <\${FIO_SOURCE_VERSION}>")
TEXT

configure() { # what is expected of it: true or false; then options
  expected=$1
  shift
  rm -rf "$work/build"
  if cmake -S "$work/project" -B "$work/build" "$@" >"$work/raw" 2>&1; then result=true; else result=false; fi
  tr -s ' \n' ' ' <"$work/raw" >"$work/log" # CMake fills lines anew
  [ "$result" = "$expected" ] || {
    fail "configure: $result where $expected was expected"
    cat "$work/raw"
  }
}

make_tree "$work/same" "$installed"
configure true "-DFIO_SOURCE_DIR=$work/same"
expect_in "$work/log" "built for <$installed>"
! grep -q "Warning" "$work/log" || fail "a tree of the installed version got a warning"
grep -q "^/\* #undef HAVE_IN_RAMP_PERIOD" "$work/build/fio-config/config-host.h" || fail "in_ramp_period was found"

echo 'bool in_ramp_period(struct thread_data *);' >"$work/same/fio_time.h"
configure true "-DFIO_SOURCE_DIR=$work/same"
grep -q "^#define HAVE_IN_RAMP_PERIOD" "$work/build/fio-config/config-host.h" || fail "in_ramp_period was not found"

make_tree "$work/other" "fio-1.0"
echo "FIO_VERSION = fio-1.1" >"$work/other/FIO-VERSION-FILE" # what a build left counts more
configure true "-DFIO_SOURCE_DIR=$work/other"
expect_in "$work/log" "is fio-1.1, but"
expect_in "$work/log" "is $installed:"

configure false "-DFIO_SOURCE_DIR=$work/project"
expect_in "$work/log" "it has no fio.h"
expect_in "$work/log" "-DIOFLUX_ENGINE=OFF"

make_tree "$work/broken" "$installed"
echo '#include "missing.h"' >"$work/broken/fio.h"
configure false "-DFIO_SOURCE_DIR=$work/broken"
expect_in "$work/log" "missing.h"

make_tree "$work/nameless" ""
configure false "-DFIO_SOURCE_DIR=$work/nameless"
expect_in "$work/log" "does not say which version"

if command -v apt-get >/dev/null && dpkg-query -W fio >/dev/null 2>&1; then
  use_apt_with none.list ""
  configure false
  expect_in "$work/log" "cannot be had from apt"
  expect_in "$work/log" "-DFIO_SOURCE_DIR=DIRECTORY"
fi

[ "$failures" -eq 0 ]
