#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# CPU per operation of our engine inside fio against fio's own: mem against null (1 and 4 jobs), local against psync on
# a cached file. Both halves of a pair run the same number of 4 KiB sequential reads at iodepth 1 with fio's default
# accounting. CPU is what fio reports of its job threads (user + system), so loading the trace is not in it.
#
#   bench/engine_speed.sh [BUILD] [PAIRS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/usage.sh
. "$here/../scripts/usage.sh"
heed_usage 0 2 "" "$@"
# shellcheck source=bench/fio_pairs.sh
. "$here/fio_pairs.sh"
build=$(cd "${1:-build}" && pwd)
pairs=${2:-9}
block_bytes=4096
ops_per_pass=262144 # 1 GiB
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# A trace of STREAMS streams that each read their own file once from start to end.
make_sequential_trace() {
  "$build/bin/make_sequential_trace" "$1" "$ops_per_pass" "$block_bytes" "$folder/file"
}

# Cached on both sides: no cold cache first.
engine=(--ioengine=external:"$build/lib/libioflux.so" --cache_mode=none)
make_sequential_trace 1 >one.ioflux
make_sequential_trace 4 >four.ioflux
null=(--ioengine=null --rw=read --bs=4k --size=1g)

a=("${null[@]}")
b=("${engine[@]}" --trace=one.ioflux --backend=mem)
compare mem_vs_null_1_job 1.05 --thread --loops=40
b=("${engine[@]}" --trace=four.ioflux --backend=mem)
compare mem_vs_null_4_jobs 1.05 --thread --numjobs=4 --loops=20

head -c $((ops_per_pass * block_bytes)) /dev/zero >file0
cat file0 >/dev/null
a=(--ioengine=psync --rw=read --bs=4k --filename="$folder/file0" --invalidate=0)
b=("${engine[@]}" --trace=one.ioflux --backend=local)
compare local_vs_psync_cached 1.05 --thread --loops=6
