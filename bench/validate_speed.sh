#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# validate_speed.sh [BUILD] [OPS] [PAIRS]
#
# `ioflux validate` (every rule) against `wc -l` on the same trace of OPS ops (default 10,000,000, about
# 0.9 GB, made in TMPDIR and removed). Ends with 1 when a bar is missed: 8 times the CPU time of wc, 64 MiB
# resident.
set -eu

here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/usage.sh
. "$here/../scripts/usage.sh"
heed_usage 0 3 "" "$@"
build=${1:-build}
ops=${2:-10000000}
pairs=${3:-5}
# shellcheck source=bench/paired.sh
. "$here/paired.sh"

folder=$(mktemp -d "${TMPDIR:-/tmp}/ioflux-validate-speed.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trace=$folder/trace.ioflux

"$build/bin/make_trace" "$ops" "$trace"
echo "validate against wc -l: $ops ops, $(stat -c %s "$trace") bytes, $pairs pairs"
paired_run "$pairs" "wc -l '$trace'" "'$build/bin/ioflux' validate '$trace'"

bar=8
rss_bar_kib=65536
echo "  wc -l:           $paired_a_cpu s CPU, $paired_a_rss_kib KiB"
echo "  ioflux validate: $paired_b_cpu s CPU, $paired_b_rss_kib KiB"
echo "  ratio:           $paired_ratio ($paired_ratio_low to $paired_ratio_high), bar $bar"
verdict=$(awk -v r="$paired_ratio" -v bar=$bar -v m="$paired_b_rss_kib" -v mbar=$rss_bar_kib \
  'BEGIN { print r <= bar && m <= mbar ? "good" : "missed" }')
echo "RESULT validate_vs_wc ratio=$paired_ratio bar=$bar wc_cpu_s=$paired_a_cpu cpu_s=$paired_b_cpu" \
  "rss_kib=$paired_b_rss_kib rss_bar_kib=$rss_bar_kib ops=$ops verdict=$verdict"
[ "$verdict" = good ]
