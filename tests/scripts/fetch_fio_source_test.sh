#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# scripts/fetch-fio-source, against a repository of one source package in a folder.
set -eu
. "$(dirname "$0")/fake_fio_source.sh"

for tool in apt-get dpkg-source dpkg-scansources; do
  command -v "$tool" >/dev/null || skip "$tool is not installed"
done
# shellcheck disable=SC2016  # the ${} is dpkg-query's
version=$(dpkg-query -W -f '${source:Version}' fio 2>/dev/null) || skip "fio is not installed as a package"

fetch() { # what is expected of it: true or false
  rm -rf "$work/out"
  if "$root/scripts/fetch-fio-source" "$work/out" >"$work/log" 2>&1; then result=true; else result=false; fi
  [ "$result" = "$1" ] || {
    fail "fetch-fio-source: $result where $1 was expected"
    sed 's/^/    /' "$work/log"
  }
}

# The package: fio's name and version, our text. A version without a revision is a native package.
make_tree "$work/package" "fio-of-the-test"
mkdir -p "$work/package/debian/source" "$work/repository"
case $version in
*-*)
  echo "3.0 (quilt)" >"$work/package/debian/source/format"
  upstream=${version%-*}
  tar -C "$work" -czf "$work/fio_${upstream#*:}.orig.tar.gz" --exclude=debian package
  ;;
*) echo "3.0 (native)" >"$work/package/debian/source/format" ;;
esac
cat >"$work/package/debian/changelog" <<TEXT
fio ($version) unstable; urgency=low

  * For the test.

 -- Nobody <nobody@localhost>  Thu, 01 Jan 2026 00:00:00 +0000
TEXT
printf 'Source: fio\nMaintainer: Nobody <nobody@localhost>\n\nPackage: fio\nArchitecture: all\nDescription: none\n' \
  >"$work/package/debian/control"
(cd "$work" && dpkg-source -b package >/dev/null 2>&1)
mv "$work"/fio_* "$work/repository/"
(cd "$work/repository" && dpkg-scansources . 2>/dev/null >Sources && touch Packages)
chmod -R a+rX "$work" # apt reads as a user of its own

for kind in list sources; do
  if [ "$kind" = list ]; then
    use_apt_with one.list "deb [trusted=yes] file:$work/repository ./"
  else
    use_apt_with one.sources "# a remark
Types: deb
URIs: file:$work/repository
Suites: ./
Trusted: yes"
  fi
  before=$(find "$work/apt" -type f -exec cat {} + | cksum)
  fetch true
  expect_in "$work/out/FIO-VERSION-GEN" "fio-of-the-test"
  [ "$before" = "$(find "$work/apt" -type f -exec cat {} + | cksum)" ] || fail "apt's own folder was changed"
done

# What is there already is kept.
echo kept >"$work/out/mark"
use_apt_with none.list ""
"$root/scripts/fetch-fio-source" "$work/out" || fail "a tree of the right version was fetched again"
[ -f "$work/out/mark" ] || fail "a tree of the right version was replaced"

fetch false
expect_in "$work/log" "No source of packages is configured"

use_apt_with dead.list "deb [trusted=yes] file:$work/nowhere ./"
fetch false
expect_in "$work/log" "fio $version cannot be had"
expect_in "$work/log" "deb-src [trusted=yes] file:$work/nowhere ./"
[ ! -e "$work/out" ] || fail "a refused fetch left a tree behind"

[ "$failures" -eq 0 ]
