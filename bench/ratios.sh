#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every speed and memory figure we promise, measured in one go and printed side by side with its bar.
#
#   bench/ratios.sh [BUILD]
#
# Takes some ten minutes. Ratios are medians over pairs run in turn; a machine that is busy with other work widens
# low..high, and the bar column only says what was seen.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/usage.sh
. "$here/../scripts/usage.sh"
heed_usage 0 1 "" "$@"
build=${1:-build}
results=$(mktemp)
trap 'rm -f "$results"' EXIT
"$here/validate_speed.sh" "$build" | tee -a "$results"
"$here/load_speed.sh" "$build" | tee -a "$results"
"$here/engine_speed.sh" "$build" | tee -a "$results"
"$here/uring_speed.sh" "$build" | tee -a "$results"
"$here/pacing.sh" "$build" | tee -a "$results"
echo
printf '%-28s %10s %8s  %s\n' measure seen bar verdict
awk '$1 == "RESULT" {
  for (i = 3; i <= NF; ++i) { split($i, kv, "="); v[kv[1]] = kv[2] }
  printf "%-28s %10s %8s  %s\n", $2, v["ratio"], v["bar"], (v["ratio"] + 0 <= v["bar"] + 0) ? "within" : "OVER"
}' "$results"
