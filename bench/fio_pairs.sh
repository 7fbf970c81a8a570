#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Two fio runs, in turn, compared by the CPU time per operation that fio reports of its job threads (user + system), so
# that loading a trace is not in it. Sourced by the bench scripts, which set the arrays a and b and the number of pairs.
# shellcheck source=bench/paired.sh
. "$(dirname "${BASH_SOURCE[0]}")/paired.sh"

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

# compare NAME BAR [ARGUMENTS...]
#
# Runs fio with the arguments of the array a, then with those of b, both with ARGUMENTS, in $pairs pairs, and prints a
# RESULT line with the median of the ratios.
# shellcheck disable=SC2154  # a, b and pairs are the caller's
compare() {
  local name=$1 bar=$2 i one two
  local ratios=() first=() second=()
  shift 2
  local both=("$@")
  cpu_ns_per_op --name=j "${a[@]}" "${both[@]}" >/dev/null
  for ((i = 1; i <= pairs; ++i)); do
    one=$(cpu_ns_per_op --name=j "${a[@]}" "${both[@]}")
    two=$(cpu_ns_per_op --name=j "${b[@]}" "${both[@]}")
    first+=("$one") second+=("$two")
    ratios+=("$(awk -v a="$one" -v b="$two" 'BEGIN { printf "%.4f", b / a }')")
    echo "  $name pair $i: fio $one ns/op, ioflux $two ns/op, ratio ${ratios[-1]}" >&2
  done
  echo "RESULT $name ratio=$(printf '%s\n' "${ratios[@]}" | paired_median) bar=$bar" \
    "low=$(printf '%s\n' "${ratios[@]}" | sort -g | head -n 1)" \
    "high=$(printf '%s\n' "${ratios[@]}" | sort -g | tail -n 1)" \
    "fio_ns_per_op=$(printf '%s\n' "${first[@]}" | paired_median)" \
    "ioflux_ns_per_op=$(printf '%s\n' "${second[@]}" | paired_median)"
}
