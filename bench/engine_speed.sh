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
# shellcheck source=bench/paired.sh
. "$here/paired.sh"
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

# The CPU ns per op of the fio run with these arguments.
cpu_ns_per_op() {
  fio --output-format=json --output=out.json "$@" >/dev/null
  awk '
    /"read" *:/ { in_read = 1 }
    /"total_ios" *:/ && in_read { gsub(/[^0-9]/, "", $3); ops += $3; in_read = 0 }
    /"job_runtime" *:/ { gsub(/[^0-9]/, "", $3); runtime_ms = $3 }
    /"usr_cpu" *:/ { gsub(/,/, "", $3); cpu = $3 }
    /"sys_cpu" *:/ { gsub(/,/, "", $3); cpu_ns += (cpu + $3) / 100 * runtime_ms * 1e6 }
    END { if (ops == 0) exit 1; printf "%.2f", cpu_ns / ops }' out.json
}

# compare NAME JOBS LOOPS: fio arguments of A in the array a, of B in the array b.
compare() {
  local name=$1 jobs=$2 loops=$3 i one two
  local ratios=() first=() second=()
  local both=(--numjobs="$jobs" --thread --loops="$loops")
  cpu_ns_per_op --name=j "${a[@]}" "${both[@]}" >/dev/null
  for ((i = 1; i <= pairs; ++i)); do
    one=$(cpu_ns_per_op --name=j "${a[@]}" "${both[@]}")
    two=$(cpu_ns_per_op --name=j "${b[@]}" "${both[@]}")
    first+=("$one") second+=("$two")
    ratios+=("$(awk -v a="$one" -v b="$two" 'BEGIN { printf "%.4f", b / a }')")
    echo "  $name pair $i: fio $one ns/op, ioflux $two ns/op, ratio ${ratios[-1]}" >&2
  done
  echo "RESULT $name ratio=$(printf '%s\n' "${ratios[@]}" | paired_median) bar=1.05" \
    "low=$(printf '%s\n' "${ratios[@]}" | sort -g | head -n 1)" \
    "high=$(printf '%s\n' "${ratios[@]}" | sort -g | tail -n 1)" \
    "fio_ns_per_op=$(printf '%s\n' "${first[@]}" | paired_median)" \
    "ioflux_ns_per_op=$(printf '%s\n' "${second[@]}" | paired_median)"
}

# Cached on both sides: no cold cache first.
engine=(--ioengine=external:"$build/lib/libioflux.so" --cache_mode=none)
make_sequential_trace 1 >one.ioflux
make_sequential_trace 4 >four.ioflux
null=(--ioengine=null --rw=read --bs=4k --size=1g)

a=("${null[@]}")
b=("${engine[@]}" --trace=one.ioflux --backend=mem)
compare mem_vs_null_1_job 1 40
b=("${engine[@]}" --trace=four.ioflux --backend=mem)
compare mem_vs_null_4_jobs 4 20

head -c $((ops_per_pass * block_bytes)) /dev/zero >file0
cat file0 >/dev/null
a=(--ioengine=psync --rw=read --bs=4k --filename="$folder/file0" --invalidate=0)
b=("${engine[@]}" --trace=one.ioflux --backend=local)
compare local_vs_psync_cached 1 6
