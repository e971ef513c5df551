#!/usr/bin/env bash
# A coarse guard on speed: fails if the library has become many times slower beside its peers, measured in one run, or if a
# decision allocates. The margins are so wide that a busy machine does not matter. docs/performance.md has the real figures.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

status=0
report=$(go -C bench run . -guard -passes 5 -pass 3ms) || status=$?
printf '%s\n' "$report"
sed -nE 's/^\| (.*) \| at (least|most) .* \| ([0-9.]+) \| .* \| .* \|$/note: \1: \3/p' <<<"$report"
exit "$status"
