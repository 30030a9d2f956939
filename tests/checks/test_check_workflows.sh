#!/bin/sh
# tests/checks/check_workflows.py finds planted steps that are no make target, with file and line, and nothing else.
# usage: tests/checks/test_check_workflows.sh   (from the top of the project)
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "checks: workflows: $1" >&2; exit 1; }
cat >"$work/bad.yml" <<'YAML'
steps:
  - run: make site
  - run: make nothing
  - run: |
      make site
  - run: make site && rm -rf x
  - run: apt-get update && apt-get install -y make; curl x
  - uses: actions/checkout
  - name: named
    run: make setup-nothing
YAML
: >"$work/empty.yml"
tests/checks/check_workflows.py "$work/bad.yml" "$work/empty.yml" >"$work/found" && fail "planted steps are accepted"
cut -d: -f2 "$work/found" | tr '\n' ' ' >"$work/lines"
[ "$(cat "$work/lines")" = "3 4 6 7 8 10 1 " ] || { cat "$work/found" >&2; fail "not as planted"; }
tests/checks/check_workflows.py || fail "the project's"
echo "checks: workflows: every planted step is found"
