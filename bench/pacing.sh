#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How late operations of a timeline start on an idle machine, 1,000 a second in each of 1 and 4 streams, as the engine
# stamps it (p50 and p99 of the schedule lag, CPU of the run beside it), and the same reads seen from outside, by strace,
# beside fio's own replay of the same times (read_iolog): both are delayed by strace alike, so only their ratio counts.
#
#   bench/pacing.sh [BUILD] [SECONDS]
#
# A machine that is busy with other work makes every number worse.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/usage.sh
. "$here/../scripts/usage.sh"
heed_usage 0 2 "" "$@"
# shellcheck source=bench/paired.sh
. "$here/paired.sh"
build=$(cd "${1:-build}" && pwd)
seconds=${2:-20}
gap_ns=1000000
reads=$((seconds * 1000))
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
PATH=$build/bin:$PATH

for ((i = 0; i < 4; ++i)); do head -c $((reads * 512)) /dev/zero >"file$i"; done
printf 'target_rewrite: [{from: "", to: ""}]\n' >map.yaml

# What the engine stamped: lag of READ, in microseconds, and the CPU.
stamped() { # NAME STREAMS P50_BAR P99_BAR
  make_sequential_trace "$2" "$reads" 512 "$folder/file" "$gap_ns" >t.ioflux
  ioflux run --trace t.ioflux --engine local --cache-mode none --mode timeline -o r.json >/dev/null 2>&1
  ioflux report r.json --json >report.json
  awk -v name="$1" -v bar50="$3" -v bar99="$4" '
    /"schedule_drift"/ { inside = 1 }
    inside && /"p50_ns"/ { gsub(/[^0-9]/, "", $2); p50 = $2 }
    inside && /"p99_ns"/ { gsub(/[^0-9]/, "", $2); p99 = $2; inside = 0 }
    /"user_ns"/ && !user { gsub(/[^0-9]/, "", $2); user = $2 }
    /"sys_ns"/ && !sys { gsub(/[^0-9]/, "", $2); sys = $2 }
    /"duration_ns"/ && !wall { gsub(/[^0-9]/, "", $2); wall = $2 }
    END {
      if (bar50) printf "RESULT %s_lag_p50_us ratio=%.1f bar=%s\n", name, p50 / 1000, bar50
      printf "RESULT %s_lag_p99_us ratio=%.1f bar=%s cpu_percent=%.1f\n", name, p99 / 1000, bar99, 100 * (user + sys) / wall
    }' r.json
}

# Entry times of the reads in a strace log against times a gap apart from the first: p50 and p99 of the lag, us.
observed() { # LOG
  awk -v gap="$gap_ns" '/pread64\(.* = 512/ {
    for (i = 1; i <= NF; ++i) if ($i ~ /^[0-9]+\.[0-9]+$/) { split($i, p, "."); t = (p[1] % 100000) * 1e6 + p[2]; break }
    if (!n++) first = t
    lag = t - first - (n - 1) * gap / 1000
    if (lag < low) low = lag
    lags[n] = lag
  } END { for (i = 1; i <= n; ++i) print lags[i] - low }' "$1" | sort -g >lags
  awk '{ v[NR] = $1 } END { printf "%.1f %.1f\n", v[int(NR * 0.5) + 1], v[int(NR * 0.99) + 1] }' lags
}

stamped pacing_1_stream 1 3 60
stamped pacing_4_streams 4 "" 100

make_sequential_trace 1 "$reads" 512 "$folder/file" "$gap_ns" >t.ioflux
awk -v reads="$reads" -v file="$folder/file0" 'BEGIN {
  print "fio version 3 iolog"; print 0, file, "add"; print 0, file, "open"
  for (i = 1; i <= reads; ++i) print i * 1000, file, "read", (i - 1) * 512, 512
  print (reads + 1) * 1000, file, "close" }' >t.iolog
for who in fio ioflux; do
  if [ "$who" = fio ]; then
    strace -f -ttt -e trace=pread64 -o "$who.log" fio --name=j --ioengine=psync --read_iolog=t.iolog --invalidate=0 \
      --output=/dev/null --thread
  else
    strace -f -ttt -e trace=pread64 -o "$who.log" fio --name=j --ioengine=external:"$build/lib/libioflux.so" \
      --trace=t.ioflux --backend=local --mode=timeline --cache_mode=none --output=/dev/null --thread
  fi
done
fio_seen=$(observed fio.log)
ours_seen=$(observed ioflux.log)
echo "seen by strace, lag p50 p99 in us: read_iolog $fio_seen, ioflux $ours_seen"
echo "$fio_seen $ours_seen" | awk '{ printf "RESULT pacing_vs_read_iolog_p99 ratio=%.3f bar=1.0\n", $4 / ($2 > 0 ? $2 : 0.1) }'
