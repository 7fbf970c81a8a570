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

# Whatever keeps the source away, the configure step stops, says why and names both ways on.
refused_saying() { # words of the reason; then options
  reason=$1
  shift
  configure false "$@"
  expect_in "$work/log" "$reason"
  expect_in "$work/log" "-DIOFLUX_ENGINE=OFF"
  ! grep -q "built for <" "$work/log" || fail "went on without the source"
}
mkdir "$work/shim"
shim() { # a program, its text
  printf '#!/bin/sh\n%s\n' "$2" >"$work/shim/$1"
  chmod +x "$work/shim/$1"
}
PATH=$work/shim:$PATH
shim apt-get 'echo "E: the mirror is away"; exit 100'
if command -v dpkg-source >/dev/null && dpkg-query -W fio >/dev/null 2>&1; then
  refused_saying "E: the mirror is away"
  expect_in "$work/log" "add deb-src"
  expect_in "$work/log" "-DFIO_SOURCE_DIR=DIRECTORY"
fi
shim dpkg-query 'exit 1'
refused_saying "no package named fio is installed"
refused_saying "is not a source tree of fio" "-DFIO_SOURCE_DIR=$work/nowhere"
refused_saying "fio is not installed" -DFIO_EXECUTABLE=no
shim fio 'echo "a library is missing" >&2; exit 3'
refused_saying "--version failed (3): a library is missing"

[ "$failures" -eq 0 ]
