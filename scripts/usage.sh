#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What every script does before it touches anything. Sourced:
#
#   . "$(dirname "$0")/usage.sh"
#   heed_usage 0 1 "--quick --full" "$@"
#
# heed_usage LEAST MOST OPTIONS WORDS...
#
# With --help or -h among WORDS, prints the head comment of the script and ends with 0. With an option that is
# not one of OPTIONS, or with fewer than LEAST or more than MOST words, says so on standard error, with the same
# comment, and ends with 2.

print_usage() {
  awk '/^#!/ || /^# SPDX/ { next } !/^#/ { exit } { sub(/^# ?/, "") } /./ || shown { print; shown = 1 }' "$0"
}

refuse_usage() {
  printf '%s: %s\n\n' "$(basename "$0")" "$1" >&2
  print_usage >&2
  exit 2
}

heed_usage() {
  least=$1 most=$2 options=$3
  shift 3
  for word in "$@"; do
    case $word in
    -h | --help)
      print_usage
      exit 0
      ;;
    esac
  done
  for word in "$@"; do
    case $word in
    -*) case " $options " in *" $word "*) ;; *) refuse_usage "unknown option '$word'" ;; esac ;;
    "") refuse_usage "an empty word" ;;
    esac
  done
  [ $# -ge "$least" ] || refuse_usage "too few words"
  [ $# -le "$most" ] || refuse_usage "too many words"
}
