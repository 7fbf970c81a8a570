#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# CPU per operation of jobs that replay many streams:
#   - 32 streams of cached 4 KiB reads through io_uring in one job, against fio's io_uring engine at iodepth 32 with the
#     same batch settings (16 a submission)
#   - 10,000 streams without a storage (mem) in one job, in nanoseconds
#
#   bench/uring_speed.sh [BUILD] [PAIRS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/usage.sh
. "$here/../scripts/usage.sh"
heed_usage 0 2 "" "$@"
# shellcheck source=bench/fio_pairs.sh
. "$here/fio_pairs.sh"
build=$(cd "${1:-build}" && pwd)
# shellcheck disable=SC2034  # read by compare
pairs=${2:-9}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

streams=32
reads=8192 # 32 MiB a stream, 1 GiB in all
engine=(--ioengine=external:"$build/lib/libioflux.so" --cache_mode=none --io=uring)
"$build/bin/make_sequential_trace" "$streams" "$reads" 4096 "$folder/file" >cached.ioflux
for ((i = 0; i < streams; ++i)); do head -c $((reads * 4096)) /dev/zero >"file$i"; done
cat file* >/dev/null
# shellcheck disable=SC2016 # $filenum is fio's word, not the shell's
a=(--ioengine=io_uring --rw=read --bs=4k --size=$((reads * 4096)) --nrfiles="$streams" --filename_format='file$filenum'
  --file_service_type=roundrobin:1 --invalidate=0 --directory="$folder"
  --filesize=$((reads * 4096)) --io_size=$((streams * reads * 4096)))
b=("${engine[@]}" --trace=cached.ioflux --backend=local)
compare uring_vs_io_uring_cached 1.05 --thread --loops=3 --iodepth="$streams" --iodepth_batch=16 --iodepth_batch_complete_max="$streams"

"$build/bin/make_sequential_trace" 10000 200 4096 "$folder/none" >many.ioflux
values=()
for ((i = 0; i < pairs; ++i)); do
  values+=("$(cpu_ns_per_op --name=j "${engine[@]}" --trace=many.ioflux --backend=mem --thread --loops=3)")
done
echo "RESULT mux_noop_10000_streams_ns ratio=$(printf '%s\n' "${values[@]}" | paired_median) bar=600" \
  "low=$(printf '%s\n' "${values[@]}" | sort -g | head -n 1) high=$(printf '%s\n' "${values[@]}" | sort -g | tail -n 1)"
