#!/bin/bash
# For technical directors: the results of a batch to review before use, with reasons, as one JSON object.
# usage: examples/shell/audit.sh OUT [SHARE] > audit.json      OUT: the folder of kane batch
#        SHARE: least fraction of trusted frames of a clip, default 0.9
#
# The index lists failed and doubtful clips; jq (https://jqlang.github.io/jq) formats them.
set -euo pipefail
index=$1/index.db share=${2:-0.9}

# Exit code 1 of kane query means that there are no rows, which is not an error here.
ask() { kane query "$index" --format json "$@" || [ $? -eq 1 ]; }

failed=$(ask --sql "SELECT path AS clip, stage || ': ' || message AS why FROM failure")
ask --columns path,unsure,trusted_fraction,untrusted_reason,residual_force_rms_bw,stature_m |
    jq --argjson failed "$failed" --argjson share "$share" '
        {failed: $failed,
         doubted: [.[] | {clip: .path, why: [
            (if .unsure != "" then "import is unsure of \(.unsure)" else empty end),
            (if (.trusted_fraction // 1) < $share then
                "\(100 * .trusted_fraction | round) % of the frames are trusted; the rest: \(.untrusted_reason)"
             else empty end),
            (if (.residual_force_rms_bw // 0) > 0.3 then
                "the ground forces leave \(.residual_force_rms_bw * 100 | round / 100) body weights" else empty end),
            (if (.stature_m // 1.7) < 1.3 or .stature_m > 2.2 then "a stature of \(.stature_m) m" else empty end)
         ]} | select(.why != [])]}'
