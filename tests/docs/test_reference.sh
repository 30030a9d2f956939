#!/bin/sh
# tests/docs/reference.py --check finds differences between the pages of docs/ and the program, and nothing else.
# usage: tests/docs/test_reference.sh KANE PRINT_SCHEMA      (from the top of the project)
set -u
kane=$(realpath "$1") schema=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# expect NAME WORDS [PAGE SED]: with the page edited the check fails with these words; without a page it passes.
expect() {
    rm -rf "$work/p" && mkdir -p "$work/p/tests/docs" && cp -r docs "$work/p" && cp tests/docs/*.py "$work/p/tests/docs" && ln -s "$PWD/data" "$work/p/data"
    [ $# -eq 2 ] || sed -i -E "$4" "$work/p/docs/$3"
    found=$("$work/p/tests/docs/reference.py" --check "$kane" "$schema" 2>&1) && code=0 || code=$?
    case $code:$found in
    "$([ $# -eq 2 ] && echo 0 || echo 1):"*"$2"*) return ;;
    esac
    printf '%s: exit %s, found:\n%s\n' "$1" "$code" "$found"
    failed=1
}

expect sound 'match the schemas and the help'
expect 'another unit' 'clip_file.md: not as the program has it' formats/clip_file.md 's/^(\| `mass` \| joint \| float64 \| )kg/\1g/'
expect 'a column that is gone' 'index.md: not as the program has it' formats/index.md '/^\| `rom_rad`/d'
expect 'an attribute that is gone' 'clip_file.md: not as the program has it' formats/clip_file.md '/^\| `model` /d'
expect 'no table of a group' 'no table of the datasets of /body' formats/clip_file.md 's/^<!-- datasets .body -->/<!-- none -->/'
expect 'no attributes of a group' 'no table of the attributes of /body' formats/clip_file.md \
    's/^<!-- attributes .body -->/<!-- none -->/'
expect 'no section' 'no section /body' formats/clip_file.md 's/^### .body$/### Body/'
expect 'help' 'commands.md: not as the program has it' commands.md 's/^Usage: kane smooth/Usage: kane smoothe/'
printf '#!/bin/sh\n"%s" | sed "/source_rest_frame/s/frame\t/s\t/2"\n' "$schema" >"$work/seconds"
chmod +x "$work/seconds"
schema=$work/seconds
expect 'another unit of a frame number' '/retarget: source_rest_frame has the unit s' formats.md 's/^$//'
[ "$failed" -eq 0 ] && echo "docs: reference: every planted error is found"
exit "$failed"
