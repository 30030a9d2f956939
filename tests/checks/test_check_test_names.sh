#!/bin/sh
# tests/checks/check_test_names.py finds planted names of tests and files, with file and line, and nothing else.
# usage: tests/checks/test_check_test_names.sh   (from the top of the project)
set -eu
check=$(realpath tests/checks/check_test_names.py)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p tests/unit/solve tests/physics analysis/solve formats/base
: > analysis/solve/lcp.c
: > formats/base/kind.h

printf 'TEST(gap_of_three_rows_is_filled)\n{\n}\n' > tests/unit/solve/test_lcp.c
printf 'static int it_is_told;\nTEST(walk_in_place_of_held_out_subjects)\n{\n}\n' > tests/physics/test_walk.c
"$check" > found || { echo "checks: test names: found without an error: $(cat found)" >&2; exit 1; }

long=$(printf 'x%.0s' $(seq 61))
printf 'TEST(what_is_unusual_is_reported)\n{\n}\nTEST(a_ball_falls)\n{\n}\nTEST(%s)\n{\n}\n' "$long" \
    > tests/physics/test_walk.c
: > tests/unit/solve/test_kind.c
"$check" > found && { echo "checks: test names: nothing found" >&2; exit 1; }
sed '$d' found > lines
cat > expected <<TEXT
tests/physics/test_walk.c:1: what_is_unusual_is_reported: "what": write the subject
tests/physics/test_walk.c:4: a_ball_falls: begins with an article
tests/physics/test_walk.c:7: $long: 61 characters, at most 60
tests/unit/solve/test_kind.c: no source kind.c or kind.h in a folder solve
TEXT
diff expected lines || { echo "checks: test names: not as planted" >&2; exit 1; }

echo "checks: test names: every planted error is found"
