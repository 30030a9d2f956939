#!/bin/sh
# tests/checks/check_comments.py finds stale paths, headings, citations and links with file and line, and nothing else.
# usage: tests/checks/test_check_comments.sh   (from the top of the project)
set -u
check=$(realpath tests/checks/check_comments.py)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# expect NAME LINE...: checks that these lines, and no others, are found in the project in $work/p, then resets the
# project.
expect() {
    name=$1 exit=0
    shift
    [ $# -eq 0 ] || exit=1
    found=$("$check" "$work/p" 2>/dev/null) && code=0 || code=$?
    [ "$code" -ne 0 ] || found=
    wanted=$(for line in "$@"; do printf '%s\n' "$line"; done)
    if [ "$code" -ne "$exit" ] || [ "$found" != "$wanted" ]; then
        printf '%s: exit %s, found:\n%s\n' "$name" "$code" "$found"
        failed=1
    fi
    project
}

# A project of a few files without errors.
project() {
    rm -rf "$work/p"
    mkdir -p "$work/p/analysis/solve" "$work/p/docs" "$work/p/scripts" "$work/p/tests/checks" "$work/p/tests/unit"
    cd "$work/p" || exit 2
    cat >docs/sources.md <<'MD'
# Sources
## The thesis
| section | title |
| 3.8 | Building |
| (3.41) to (3.46) | the recursion |
Figure 3.2 and table 3.1, figure 3.5 to figure 3.9 too.
## The notes
| 0.10 | Integration |
| (0.7) to (0.9) | soft rows |
### Errata
MD
    cat >docs/design.md <<'MD'
# Design
See [the sources](sources.md#the-notes), [above](#design), `analysis/solve`, [home](https://example.org/x.md).
MD
    cat >analysis/solve/lcp.h <<'C'
/* As in solve/qp.c (notes 0.10, (0.8)), analysis/solve/lcp, out.h5, m/s2, <hdf5.h>, three.js, build/x.h, a/b.h;
 * docs/sources.md "The
 * notes", thesis 3.42, thesis figure 3.7, tests/unit/test_NAME.c. */
C
    printf 'const char *path = "solve/none.h /* qp.h */"; /* lcp.h */\n' >analysis/solve/qp.c
    printf '#!/bin/sh\n# runs scripts/run.sh\necho scripts/none.sh\n' >scripts/run.sh
    cd "$work" || exit 2
}

project
expect sound

echo '/* see analysis/solve/none.h */' >>p/analysis/solve/qp.c
expect 'path of a project' 'analysis/solve/qp.c:2: analysis/solve/none.h does not exist'

printf '/* one\n * two: solve/none.h\n * and none.c */\n' >>p/analysis/solve/qp.c
expect 'end of a path' 'analysis/solve/qp.c:3: solve/none.h does not exist' 'analysis/solve/qp.c:4: none.c does not exist'

printf '/* solve/none: what it shows. */\n' >p/tests/unit/test_lcp.c
expect 'module of a test' 'tests/unit/test_lcp.c:1: solve/none does not exist'

printf '# tests/none.sh\nall: # scripts/run.sh\n' >p/Makefile
printf '"""Reads scripts/none.awk."""\n' >p/scripts/read.py
expect 'make and Python' 'Makefile:1: tests/none.sh does not exist' 'scripts/read.py:1: scripts/none.awk does not exist'

printf '/* docs/sources.md "The\n * springs"; docs/none.md */\n' >>p/analysis/solve/qp.c
expect heading 'analysis/solve/qp.c:2: docs/sources.md has no heading "The springs"' \
    'analysis/solve/qp.c:3: docs/none.md does not exist'

printf '/* thesis 3.8 and 3.47,\n * notes 0.7 to 0.11 */\n' >p/tests/unit/x.c
expect citation 'tests/unit/x.c:1: docs/sources.md: the thesis has no 3.47' 'tests/unit/x.c:2: docs/sources.md: the notes has no 0.11'

printf '/* as design section 4 says,\n * source\n * 001 too; section 3.4 of Winter */\n' >>p/analysis/solve/qp.c
expect unseen 'analysis/solve/qp.c:2: design section 4: cite docs/ by its headings, and what docs/sources.md has' \
    'analysis/solve/qp.c:3: source 001: cite docs/ by its headings, and what docs/sources.md has'

# (0.12) alone is an equation in a folder that cites the notes, and a number elsewhere.
printf '/* as in (0.12) */\n' | tee p/tests/unit/x.c >>p/analysis/solve/qp.c
expect equation 'analysis/solve/qp.c:2: docs/sources.md: the notes and the thesis: no 0.12'

printf 'A [link](none.md), [another](sources.md#none), `scripts/none.sh`, [back](../analysis/solve/lcp.h).\n' >>p/docs/design.md
expect link 'docs/design.md:3: link to none.md, which does not exist' 'docs/design.md:3: link to sources.md#none: no such heading' \
    'docs/design.md:3: scripts/none.sh does not exist'

printf '# Page\n- [One](#one)\n## One\n```\n## none\n```\n## The *two*\n' >p/docs/page.md
expect contents 'docs/page.md:7: the table of contents has no "The *two*"'

printf '```\nout/<name>.h5\n```\n' >>p/docs/design.md
expect 'tag in a block'

printf '# Page\n## A\n## B\n## C\n' >p/docs/page.md
expect 'short page'

printf '# Page\n## A\n## B\n## C\n## D\n' >p/docs/page.md
expect 'long page' 'docs/page.md:1: 4 sections and no table of contents'

mkdir p/docs/part
printf '# Page\n## One\n' >p/docs/part/page.md
printf '/* docs/part/page.md "One", docs/part/page.md "Two" */\n' >>p/analysis/solve/qp.c
expect 'heading of a page in a folder' 'analysis/solve/qp.c:2: docs/part/page.md has no heading "Two"'

mkdir p/docs/analysis
echo '# Page' >p/docs/analysis/page.md
echo 'See [the page](analysis/page.md) and [none](analysis/none.md).' >>p/docs/design.md
expect 'page in a folder named as one of code' 'docs/design.md:3: analysis/none.md does not exist' \
    'docs/design.md:3: link to analysis/none.md, which does not exist'

printf 'Writes out/<name>.h5 and `<name>`.\n' >>p/docs/design.md
printf '# folders\nanalysis/solve\nanalysis/none\n' >p/tests/checks/layers.txt
expect 'tag and folder' 'docs/design.md:3: <name> is taken for a tag and not shown: put it into backticks' \
    'tests/checks/layers.txt:3: docs/design.md does not tell of analysis/none'

printf '| story | files |\n|---|---|\n| diff | `analysis/solve/lcp.h`, `analysis/solve/gone.c` |\n' >>p/docs/design.md
expect 'reading list' 'docs/design.md:5: analysis/solve/gone.c does not exist'

[ "$failed" -eq 0 ] && echo "checks: comments: every planted error is found"
exit $failed
