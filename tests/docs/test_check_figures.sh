#!/bin/sh
# check_figures.py finds planted figures that no command prints and nothing cites, with line, and nothing else.
# usage: tests/docs/test_check_figures.sh      (from the top of the project)
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "docs: figures: $1" >&2; exit 1; }
cat >"$work/page.md" <<'DOCUMENT'
# Page

It errs by 0.31 N m/kg, and by 2.18 N m/kg, which is 12 % of nothing and takes 5 ms.
Both glTF 2.0 and version 0.1 are read; `0.77 s` is code; the 90 % band is a band.

| a | b |
|---|---|
| one | 4.5 kg |
| two, [measured](validation/x.md) | 7.5 kg |

- An item of 3.25 m
  ([bench](bench.tsv)), and 14 frames.

    indented 8.8 s

```console
$ kane explain --at 1.96
torque 2.1788
```
DOCUMENT
tests/docs/check_figures.py "$work/page.md" >"$work/found" && fail "planted figures are accepted"
cut -d: -f2- "$work/found" >"$work/lines"
printf '3: 0.31 N m/kg\n3: 12 %%\n3: 5 ms\n8: 4.5 kg\n' | diff - "$work/lines" >&2 || fail "not as planted"
mkdir -p "$work/tests/docs"
cp tests/docs/check_figures.py "$work/tests/docs/"
printf 'document\tfigure\tsource\tpattern\nx.md\t5 s\tLICENSE\tno such text\n' >"$work/tests/docs/figures.tsv"
"$work/tests/docs/check_figures.py" README.md >"$work/found" 2>&1 && fail "a constant that its source does not have is accepted"
grep -q '^figures.tsv:2: LICENSE does not contain' "$work/found" || fail "the row is not named"
echo "docs: figures: every planted figure is found"
