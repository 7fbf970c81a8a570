#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Every shell script of the checkout passes shellcheck.
set -eu
cd "$1"
command -v shellcheck >/dev/null || {
  echo "skip: shellcheck is not installed"
  exit 77
}
find . -name .git -prune -o -name 'build' -prune -o -name 'build-*' -prune -o -type f -size -64k -print |
  while read -r file; do
    case $(head -n 1 "$file" | tr -d '\0') in
    '#!/bin/sh'* | '#!/bin/bash'* | '#!/usr/bin/env bash'*) echo "$file" ;;
    esac
  done | xargs shellcheck -x -P SCRIPTDIR
