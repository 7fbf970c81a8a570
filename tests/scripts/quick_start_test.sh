#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# quick_start_test.sh CHECKOUT: what scripts/quick-start does around the build and the commands, with a cmake and
# an ioflux that only say that they were called. The commands themselves are run by the tests of the README.
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
  echo "FAIL: $*"
  failures=$((failures + 1))
}

expect_in() { # file, words
  grep -qF -- "$2" "$1" || {
    fail "'$2' is not in the output:"
    sed 's/^/    /' "$1"
  }
}

mkdir -p "$work/a checkout/build/bin" "$work/bin" "$work/elsewhere"
checkout="$work/a checkout"
cp -R "$root/scripts" "$root/job_templates" "$checkout/"
printf '#!/bin/sh\nexit 0\n' >"$checkout/scripts/install-packages"
cat >"$work/bin/cmake" <<'SH'
#!/bin/sh
case $1 in --preset) exit 0 ;; esac
echo "asked for: $*"
for step in $(seq 40); do echo "[$step/40] Building CXX object"; done
[ ! -e "$FAIL_BUILD" ] || { echo "ninja: build stopped"; exit 1; }
SH
cat >"$checkout/build/bin/ioflux" <<'SH'
#!/bin/sh
echo "in $(pwd): $*" >>"$CALLS"
SH
chmod +x "$work/bin/cmake" "$checkout/build/bin/ioflux"
CALLS=$work/calls FAIL_BUILD=$work/fail PATH=$work/bin:$PATH CDPATH=/:$work
export CALLS FAIL_BUILD PATH CDPATH

# A folder named from where the user stands, outside the checkout.
cd "$work/elsewhere"
"$checkout/scripts/quick-start" "my data/first" >"$work/log" 2>&1 || fail "ended with $?"
folder="$work/elsewhere/my data/first"
expect_in "$CALLS" "in $folder: report results.json"
cmp -s "$folder/local-map.yaml" "$root/job_templates/local-map.yaml" || fail "the map is not the one we ship"
expect_in "$folder/build.log" "[40/40] Building CXX object"
expect_in "$folder/build.log" "man_pages"

# A line every ten percent when nobody watches, and nothing but that.
[ "$(grep -c '^ *[0-9]* %, step' "$work/log")" -eq 10 ] || fail "not a line for every ten percent"
expect_in "$work/log" "100 %, step 40 of 40"
! grep -q "Building CXX" "$work/log" || fail "the whole log is on the screen"

# On a terminal one line that is drawn again.
if command -v script >/dev/null; then
  script -qec "'$checkout/scripts/quick-start' again" /dev/null >"$work/log" </dev/null
  [ "$(grep -c 'step 40 of 40' "$work/log")" -eq 1 ] || fail "progress takes several lines of a terminal"
  expect_in "$work/log" "$(printf '\r   50 %%, step 20 of 40')"
fi

# A build that fails ends it, with what the build said, before anything is run.
touch "$FAIL_BUILD"
rm -f "$CALLS"
if "$checkout/scripts/quick-start" failing >"$work/log" 2>&1; then fail "a failed build is a success"; fi
expect_in "$work/log" "ninja: build stopped"
expect_in "$work/log" "quick-start: the build failed"
[ ! -e "$CALLS" ] || fail "commands were run after a failed build"

[ "$failures" -eq 0 ]
