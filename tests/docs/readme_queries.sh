#!/bin/sh
# Every query that the README prints must run and find something, on the clips of data/.
# usage: tests/docs/readme_queries.sh KANE
set -eu
kane=$(realpath "$1")
top=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
kane() { "$kane" "$@"; }
kane batch "$top/data" -o out 2>/dev/null
printf 'role\ttorque_nm_kg\nleft_knee\t1.2\nright_knee\t1.2\n' > limits.tsv
grep -E '^    kane query ' "$top/README.md" > queries
count=0
while IFS= read -r query; do
    eval "$query" > answer || { echo "README: no answer to: $query" >&2; exit 1; }
    [ -s answer ] || { echo "README: empty answer to: $query" >&2; exit 1; }
    count=$((count + 1))
done < queries
[ "$count" -eq 12 ] || { echo "README: $count queries, expected 12" >&2; exit 1; }
echo "README: $count queries answered"
