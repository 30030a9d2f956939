#!/bin/sh
# tests/sources/run.py counts met, rejected and open items, and fails if a value is out of bounds or missing.
# usage: tests/sources/test_run.sh      (from the top of the project)
set -u
top=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "sources: run.py: $1" >&2; cat "$work/log" >&2; exit 1; }
/usr/bin/python3 -c 'import h5py' 2>/dev/null || { echo "sources: run.py: skipped: no h5py"; exit 0; }
printf '#!/bin/sh\necho "drifts $1 cm" >&2\n[ "$1" != bad ]\n' >"$work/kane"
chmod +x "$work/kane"
metric='message(r"drifts ([0-9.]+) cm")'

# expect CODE TEXT ROW...: exit code and an output line for a table of these rows.
expect() {
    code=$1 text=$2
    shift 2
    { echo 'source section item command metric bound held_against' | tr ' ' '\t'
      for row in "$@"; do printf 'notes\t0.1\tan item\t%s\t\n' "$(echo "$row" | tr '@' '\t')"; done; } >"$work/items.tsv"
    "$top/tests/sources/run.py" --items "$work/items.tsv" "$work/kane" >"$work/log" 2>&1
    [ $? -eq "$code" ] || fail "exit code of: $*"
    grep -qF "$text" "$work/log" || fail "no \"$text\" for: $*"
}
expect 0 '1 items, 0 refused, 0 open' "kane 3@$metric@<= 3"
expect 1 '3 is not <= 2.9' "kane 3@$metric@<= 2.9"
expect 1 '3 is not >= 3.1' "kane 3@$metric@>= 3.1"
expect 0 '0 open' "kane 3@$metric@= 3.1 +- 0.2"
expect 1 '3 is not = 3.1 +- 0.05' "kane 3@$metric@= 3.1 +- 0.05"
expect 1 'exit code 1' "kane bad@$metric@<= 3"
expect 1 'NameError' 'kane 3@unknown(1)@<= 3'
expect 1 'nan is not <= 3' "kane 3@np.nan@<= 3"
expect 0 '2 items, 1 refused, 1 open' '@@refused' '@@open'
expect 1 'without command or metric' "kane 3@@<= 3"
echo "sources: run.py: rows that are met, refused, open or out of bounds are distinguished"
