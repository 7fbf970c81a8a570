#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Two commands, run in turn, compared by their CPU time. Sourced by the bench scripts:
#
#   . bench/paired.sh
#   paired_run 5 "wc -l <$file" "ioflux validate $file"
#   echo "$paired_ratio $paired_a_cpu $paired_b_cpu $paired_b_rss_kib"
#
# CPU time is user plus system of the whole process, in seconds. The ratio is the median of B/A over the
# pairs, so that a slow spell of the machine, which meets both halves of a pair, does not decide. Needs
# bash (its time keyword counts milliseconds) and /usr/bin/time (for the largest resident size).

# The median of the numbers on standard input, one a line.
paired_median() {
  sort -g | awk '{ v[NR] = $1 } END { if (NR == 0) exit 1; m = int((NR + 1) / 2)
    print NR % 2 ? v[m] : (v[m] + v[m + 1]) / 2 }'
}

# Runs the shell command $1 with its output thrown away; sets paired_cpu (seconds) and paired_rss_kib.
# Ends the script when the command fails in another way than exit codes listed in $paired_ok (default "0").
paired_once() {
  local log rss status=0
  log=$(mktemp) && rss=$(mktemp) || return 1
  # shellcheck disable=SC2034  # read by the time keyword
  local TIMEFORMAT='%3U %3S'
  { time /usr/bin/time -f '%M' -o "$rss" bash -c "exec $1" >/dev/null 2>&1; } 2>"$log" || status=$?
  case " ${paired_ok:-0} " in
    *" $status "*) ;;
    *)
      echo "paired: exit code $status of: $1" >&2
      exit 1
      ;;
  esac
  paired_cpu=$(tail -n 1 "$log" | awk '{ printf "%.3f", $1 + $2 }')
  paired_rss_kib=$(tail -n 1 "$rss")
  rm -f "$log" "$rss"
}

# paired_run PAIRS COMMAND_A COMMAND_B
#
# Runs each once to warm up, then A and B in turn. Sets paired_a_cpu, paired_b_cpu (medians, seconds),
# paired_ratio (median of B/A), paired_ratio_low, paired_ratio_high, paired_a_rss_kib, paired_b_rss_kib
# (largest seen). Each pair is shown on standard error.
# shellcheck disable=SC2034  # results are for the caller
paired_run() {
  local pairs=$1 command_a=$2 command_b=$3 i
  local a=() b=() ratio=()
  paired_once "$command_a"
  paired_once "$command_b"
  paired_a_rss_kib=0
  paired_b_rss_kib=0
  for ((i = 1; i <= pairs; ++i)); do
    paired_once "$command_a"
    a+=("$paired_cpu")
    ((paired_rss_kib > paired_a_rss_kib)) && paired_a_rss_kib=$paired_rss_kib
    paired_once "$command_b"
    b+=("$paired_cpu")
    ((paired_rss_kib > paired_b_rss_kib)) && paired_b_rss_kib=$paired_rss_kib
    ratio+=("$(awk -v a="${a[-1]}" -v b="${b[-1]}" 'BEGIN { printf "%.3f", b / (a > 0 ? a : 0.001) }')")
    echo "  pair $i: A ${a[-1]} s, B ${b[-1]} s, B/A ${ratio[-1]}" >&2
  done
  paired_a_cpu=$(printf '%s\n' "${a[@]}" | paired_median)
  paired_b_cpu=$(printf '%s\n' "${b[@]}" | paired_median)
  paired_ratio=$(printf '%s\n' "${ratio[@]}" | paired_median)
  paired_ratio_low=$(printf '%s\n' "${ratio[@]}" | sort -g | head -n 1)
  paired_ratio_high=$(printf '%s\n' "${ratio[@]}" | sort -g | tail -n 1)
}
