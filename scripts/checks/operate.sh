#!/usr/bin/env bash
# A step of the gate: the manifests and the alerts of docs/operate.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. scripts/lib/need.sh

need promtool prometheus
python3 -c 'import yaml' 2>/dev/null || {
  [ "${CI-}" != true ] || install_packages python3-yaml
  python3 -c 'import yaml' 2>/dev/null || { echo "needs Python's yaml (Debian: apt-get install python3-yaml)"; exit 77; }
}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 scripts/checks/operate/check.py docs/operate.md "$dir/alerts.yml"
cp scripts/checks/operate/alerts_test.yml "$dir"
promtool check rules "$dir/alerts.yml"
promtool test rules "$dir/alerts_test.yml"
