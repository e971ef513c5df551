#!/usr/bin/env bash
# A step of the gate: a short soak on each engine. scripts/soak.sh makes longer ones. Where redis-server is missing the status is 77 once the
# others have run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. scripts/lib/need.sh

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export TMPDIR=$dir # what a failed run keeps goes, too: its seed plays it again

go -C examples build -o "$dir/soak" ./soak

# soak ENGINE
soak() {
  timeout 180 "$dir/soak" -engine "$1" -duration 25s -rate 200 | tee "$dir/out"
  echo "note: $1: $(sed -n '1s/;.*//p' "$dir/out"); $(sed -n 's/^handled: //p' "$dir/out")"
}

soak jetstream
soak kafka
need redis-server redis-server
soak redis
