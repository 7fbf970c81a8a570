#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What it costs to load a 10-million-op trace into the engine, against `wc -l` on the same file: CPU time, and resident
# bytes per op (the growth of the largest resident size over an empty trace, so everything counts).
#
#   bench/load_speed.sh [BUILD] [OPS] [PAIRS]
set -eu
here=$(dirname "$0")
# shellcheck source=scripts/usage.sh
. "$here/../scripts/usage.sh"
heed_usage 0 3 "" "$@"
# shellcheck source=bench/paired.sh
. "$here/paired.sh"
build=${1:-build}
ops=${2:-10000000}
pairs=${3:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$build/bin/make_trace" "$ops" "$folder/big.ioflux"
"$build/bin/make_trace" 100 "$folder/small.ioflux"
paired_run "$pairs" "wc -l $folder/big.ioflux" "$build/bin/load_trace $folder/big.ioflux"
big_rss=$paired_b_rss_kib
small_rss=$(/usr/bin/time -f %M "$build/bin/load_trace" "$folder/small.ioflux" 2>&1 >/dev/null | tail -n 1)
per_op=$(awk -v big="$big_rss" -v small="$small_rss" -v n="$ops" 'BEGIN { printf "%.2f", (big - small) * 1024 / n }')
"$build/bin/load_trace" "$folder/big.ioflux"
echo "RESULT load_vs_wc ratio=$paired_ratio bar=11 low=$paired_ratio_low high=$paired_ratio_high" \
  "wc_cpu_s=$paired_a_cpu load_cpu_s=$paired_b_cpu"
echo "RESULT load_bytes_per_op ratio=$per_op bar=40 rss_kib=$big_rss rss_empty_kib=$small_rss"
