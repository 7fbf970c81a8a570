#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# small_test.sh CHECKOUT BUILD
#
# The small fixture passes every required check, without privileges. Root becomes nobody for it, with a copy of
# what it needs: a checkout or a build may lie where only its owner may look.
set -eu
checkout=$1
build=$2
for file in "$build/bin/ioflux" "$build/lib/libioflux.so"; do
  [ -e "$file" ] || {
    echo "skip: this build has no ${file##*/}"
    exit 77
  }
done

# Not /tmp, which may be a file system without a device.
work=$(mktemp -d "${TMPDIR:-/var/tmp}/qualify-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/build" "$work/build/bin" "$work/build/lib" "$work/run"
cp "$build/bin/ioflux" "$work/build/bin/"
cp "$build/lib/libioflux.so" "$work/build/lib/"
cp -R "$checkout/qualification" "$work/"
chmod -R a+rX "$work"

unprivileged=""
if [ "$(id -u)" -eq 0 ]; then
  command -v setpriv >/dev/null || {
    echo "skip: setpriv is not installed, and root would measure with privileges"
    exit 77
  }
  chown 65534:65534 "$work/run"
  unprivileged="setpriv --reuid=65534 --regid=65534 --clear-groups"
fi

cd "$work/run"
export PYTHONDONTWRITEBYTECODE=1
# shellcheck disable=SC2086  # a command and its words, or none
$unprivileged "$work/qualification/qualify" --fixture qual-01s --build "$work/build" --work "$work/run/session" \
  -o "$work/run/evidence.json"
