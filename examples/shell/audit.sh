#!/bin/bash
# For a technical director: which results of a batch to look at before anyone uses them, and why, as one JSON list.
# usage: examples/shell/audit.sh OUT [RESIDUAL] > audit.json      OUT: the folder of kane batch; RESIDUAL: 0.3 body weights
#
# kane info tells what each container holds, the index which clips failed; jq (https://jqlang.github.io/jq) joins both.
set -euo pipefail
out=$1 residual=${2:-0.3}
doubted=$(mktemp)
trap 'rm -f "$doubted"' EXIT

find "$out" -name '*.h5' -print0 | sort -z | xargs -0 kane info --json |
    jq --argjson residual "$residual" '
        {clip: .title, source, residual: .residual_force_rms_bw, stature: .stature,
         why: [
            (if (.unsure // "") != "" then "import is unsure of \(.unsure)" else empty end),
            (if (.residual_force_rms_bw // 0) > $residual then "ground forces leave \(.residual_force_rms_bw) body weights" else empty end),
            (if .stature > 0 and (.stature < 1.3 or .stature > 2.2) then "a stature of \(.stature) m: is the unit right?" else empty end),
            (if (.contact_confidence // 1) < 0.5 then "contact confidence \(.contact_confidence)" else empty end)
         ]} | select(.why != [])' > "$doubted"

# Clips that are not there at all. Exit code 1 of kane query says that there is none.
{ kane query "$out/index.db" --format json --sql "SELECT path AS clip, stage || ': ' || message AS why FROM failure" ||
    [ $? -eq 1 ]; } | jq --slurpfile doubted "$doubted" '{failed: ., doubted: $doubted}'
