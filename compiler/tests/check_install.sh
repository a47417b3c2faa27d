#!/bin/bash
# What is installed works where it lies: the command, and a program that knows only pkg-config.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cached() { sed -n "s/^$1:[A-Z]*=//p" "$PLUMB_BUILD/CMakeCache.txt"; }
fail() {
    echo "$1"
    exit 1
}
if [ "$(cached PLUMB_FUZZ)" = ON ]; then
    echo "SKIPPED: a library built for fuzzing links with nothing else"
    exit 77
fi
flags=()
[ "$(cached PLUMB_SANITIZE)" != ON ] || flags=('-fsanitize=address,undefined')

cmake --install "$PLUMB_BUILD" --prefix "$work/first" >"$work/log" || fail "$(cat "$work/log")"
mv "$work/first" "$work/moved" # nothing may remember where it was
pc=$(find "$work/moved" -name plumb.pc)
[ -n "$pc" ] || fail "plumb.pc is not installed"
export PKG_CONFIG_PATH=${pc%/*}
read -ra wanted < <(pkg-config --cflags --libs plumb) || fail "pkg-config does not find plumb"
"$(cached CMAKE_C_COMPILER)" -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror "${flags[@]}" \
    "$PLUMB_SOURCE/compiler/tests/install.c" "${wanted[@]}" -pthread -o "$work/program" ||
    fail "a program cannot be linked with what pkg-config says: ${wanted[*]}"
"$work/program" || fail "the program finds something else than the command does"
cp -r "$PLUMB_SOURCE/testdata/examples/tiny" "$work/tiny"
"$work/moved/bin/plumb" check "$work/tiny/cluster.yaml" -q || fail "the moved command fails on tiny"
sh "$work/moved/bin/plumb-capture" -h | grep -q '^usage: plumb-capture' || fail "plumb-capture is not installed"
