#!/bin/sh
# Runs what README.md and the documents print: each command of kane and each Python line in order, in a folder with
# clips, tables and a library of these names; each query has results. Checks that make targets and options exist.
# usage: tests/docs/readme_queries.sh KANE
set -eu
kane=$(realpath "$1")
top=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=/usr/bin/python3
kane() { "$kane" "$@"; }
fail() { echo "$document: $1" >&2; exit 1; }

# Files that the commands refer to.
fixtures() {
    mkdir "$work/fixtures"
    cd "$work/fixtures"
    cp -r "$top/data" mocap
    mkdir data
    cp -r "$top/data/scenes" "$top/data/rigs" data/
    cp "$top/data/walk.bvh" "$top/data/jump.bvh" "$top/data/squat.bvh" .
    for copy in clip trial run; do cp walk.bvh $copy.bvh; done
    sed 's/^Frame Time:.*/Frame Time: 0.01/' walk.bvh > fast.bvh
    /usr/bin/python3 "$top/tests/support/amc_of_bvh.py" walk.bvh 07.asf 07_01.amc
    kane run walk.bvh -o forces.h5 -q && kane export forces.h5 -o forces.mot -q
    PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$top/tests/support/c3d_of_forces.py" forces.mot walk.c3d 0.02 90
    rm forces.h5 forces.mot
    mkdir cmu && cp 07.asf 07_01.amc cmu
    /usr/bin/python3 "$top/tests/support/scene_fbx.py" > jab.fbx
    sed 's/AnimStack::Bend/AnimStack::Walk/' jab.fbx > takes.fbx
    mkdir mixamo gltf && cp jab.fbx mixamo
    /usr/bin/python3 "$top/tests/support/scene_gltf.py" write gltf
    cp gltf/takes.glb takes.glb && cp gltf/plain.glb wave.glb && cp gltf/skin.glb hero.vrm
    cp 07_01.amc walk.amc
    /usr/bin/python3 "$top/tests/support/opensim_models.py" scaled.osim walk_ik.mot
    mkdir trials && cp scaled.osim walk_ik.mot trials
    printf 'joint\ttorque\nleft_knee\t150\n' > torques.tsv
    sed 's/ 41/ 52/; s/ 40/ 50/' jump.bvh > hero.bvh
    /usr/bin/python3 "$top/tests/cli/rigs.py" unreal > manny.bvh
    mkdir crowd clips targets && cp hero.bvh crowd/kid.bvh
    cp walk.bvh clips && cp hero.bvh targets
    printf 'role\ttorque_nm_kg\nleft_knee\t1.2\nright_knee\t1.2\n' > limits.tsv
    printf 'metric\tmax\nslide_increase_cm_s\t100\n' > bounds.tsv
    printf 'joint\tmass\tcom_x\tcom_y\tcom_z\tIxx\tIyy\tIzz\tIxy\tIxz\tIyz\nHips\t70\t0\t0\t0\t1\t1\t1\t0\t0\t0\n' > segments.tsv
    printf 'time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz\n0\tLeftFoot\t0\t600\t0\t0\t0\t0\t0\t0\t0\n3\tLeftFoot\t0\t600\t0\t0\t0\t0\t0\t0\t0\n' > plates.tsv
    printf 'name\tkind\tjoint_a\tax\tay\taz\tjoint_b\tbx\tby\tbz\tstiffness\tdamping\trest\nband\tligament\tleft_hip\t0\t0\t0\tleft_knee\t0\t0\t0\t100\t1\t0.1\n' > ligaments.tsv
    printf 'joint\troll_min\troll_max\tpitch_min\tpitch_max\tyaw_min\tyaw_max\nshoulder\t-20\t20\t-30\t25\t-10\t10\n' > angles.tsv
    printf 'joint\tangle\tstiffness\tdamping\ttarget\nshoulder\troll\t60\t5\t0.3\n' > turn.tsv
    printf 'glob\ttag:actor\nwalk*\tAnna\n' > clips.tsv
    kane batch mocap -o out 2>/dev/null
    find mocap -name '*.bvh' > list.txt
    kane run walk.bvh -o walk.h5 2>/dev/null
    kane run jump.bvh -o jump.h5 2>/dev/null
    kane run fast.bvh -o fast.h5 2>/dev/null
    kane track walk.h5 -o tracked.h5 > /dev/null 2>&1
}

# The commands of a document, one per line: indented by four, continued after a | at the end of a line.
commands() {
    awk '/^    (kane|sqlite3|\$ sqlite3) / || going {
            sub(/^ *(\$ )?/, ""); command = going ? command " " $0 : $0; going = /\|$/
            if (!going) print command }' "$document"
}

# Exit code 1 is expected of kane check with findings, and of kane calibrate and queries for problems without results.
run() {
    case $1 in
    "kane report"*) [ "$pages" = yes ] || return 0 ;;
    "kane plot"*) command -v gnuplot >/dev/null || return 0 ;;
    sqlite3*) command -v sqlite3 >/dev/null && [ "$loads" = yes ] || return 0 ;;
    esac
    code=0
    eval "$1" > answer 2> messages || code=$?
    case $1 in
    "kane check"* | "kane calibrate"*) [ "$code" -ne 1 ] || code=0 ;;
    "kane query"*@warnings* | "kane query"*@failed*) [ "$code" -ne 1 ] || return 0 ;;
    esac
    [ "$code" -eq 0 ] || { cat messages >&2; fail "exit code $code: $1"; }
    case $1 in "kane query"* | sqlite3*) [ -s answer ] || fail "no answer to: $1" ;; esac
}

pages=no loads=yes
"$kane" run "$top/data/walk.bvh" -o "$work/walk.h5" 2>/dev/null
! "$kane" report "$work/walk.h5" -o "$work/walk.html" 2>/dev/null || pages=yes
extension=${kane%/*}/kane
! grep -q __asan_init "$kane" || loads=no
$python -c 'import xarray, h5netcdf' 2>/dev/null || python=

fixtures
total=0 queries=0
documents=$(cd "$top" && find docs -name '*.md' | sort)
for page in README.md $documents CONTRIBUTING.md; do
    document=$top/$page
    cp -rp "$work/fixtures" "$work/$(echo "$page" | tr / -)"
    cd "$work/$(echo "$page" | tr / -)"
    commands | sed "s|/usr/local/lib/kane/kane|$extension|" > commands
    while IFS= read -r command; do
        run "$command" < /dev/null
        total=$((total + 1))
        case $command in "kane query"*) queries=$((queries + 1)) ;; esac
    done < commands
    [ ! -e same.h5 ] || cmp walk.h5 same.h5 || fail "walk.h5 and same.h5 differ"
    sed -n 's/^    >>> //p' "$document" | sed "s|/usr/local/lib/kane/kane|$extension|" > lines.py
    [ "$loads" = yes ] || sed -i '/load_extension\|kane_frames/d' lines.py
    if [ -s lines.py ] && [ -n "$python" ]; then
        cp out/*.h5 .
        PYTHONPATH=$top/python $python lines.py || fail "a line of Python fails"
    fi

    # make targets in code.
    grep -oE '(`|^    )make [a-z][a-z0-9-]*' "$document" | sed 's/.*make //; /-$/d' | sort -u | while read -r target; do
        grep -qE "^([a-z0-9-]+ )*$target( [a-z0-9-]+)*:" "$top"/Makefile "$top"/*.mk "$top/web/build.mk" ||
            "$top/scripts/setup.sh" list | grep -q "^make $target:" || fail "make $target: no such target"
    done
done
[ "$queries" -gt 0 ] || { echo "README.md: no question" >&2; exit 1; }

# Options in the documents are options of a command, of a script named beside them, or of kane itself.
for command in $("$kane" --complete | cut -f 1); do "$kane" "$command" --help; done | grep -oE -- '--[a-z][a-z0-9-]*' | sort -u > "$work/options"
printf '%s\n' --help --version --verbose --accept --check --cflags --libs --cores --config --each --all >> "$work/options"
for page in README.md $documents data/README.md CONTRIBUTING.md; do
    document=$top/$page
    grep -oE '(^|[^a-z|-])--[a-z][a-z0-9-]*' "$document" | grep -oE -- '--.*' | sort -u > "$work/named" || continue
    unknown=$(grep -vxFf "$work/options" "$work/named" || :)
    [ -z "$unknown" ] || fail "no such option: $(echo "$unknown" | tr '\n' ' ')"
done
[ "$pages" = yes ] || echo "documents: kane report is skipped: its page is not built"
[ -n "$python" ] || echo "documents: lines of Python are skipped: no xarray"
echo "documents: $total commands run, $queries questions among them"
