#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# install_test.sh CHECKOUT BUILD: what `cmake --install` puts down works from where it is put.
set -eu
build=$2
[ -f "$build/lib/libioflux.so" ] || {
  echo "skip: the engine is not built (IOFLUX_ENGINE=OFF)"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/a prefix"

cmake --install "$build" --prefix "$prefix" >"$work/log"
PATH="$prefix/bin:$PATH"
cd "$work"

for page in $(ioflux --man-list); do
  test -s "$prefix/share/man/man1/$page.1"
done
test -s "$prefix/share/ioflux/job_templates/replay.fio"

# The command finds its engine beside itself.
ioflux gen training-read --shards 2 --shard-size 64KiB --record-size 16KiB -o t.ioflux
ioflux run --trace t.ioflux --engine mem -o result.json
ioflux report result.json >report.txt

# fio finds the engine on the loader's path, by its short name.
LD_LIBRARY_PATH=$(dirname "$(find "$prefix" -name libioflux.so -type l)")
export LD_LIBRARY_PATH
fio --output-format=terse --name=stream --ioengine=libioflux.so --trace=t.ioflux --backend=mem --numjobs=2 --thread \
  >fio.txt
