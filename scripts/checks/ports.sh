#!/usr/bin/env bash
# Runs the ports of examples/ports/ports.tsv, all of them, through the conformance runner, and compares the table in docs/conformance.md with
# what they did. `ports.sh --write` writes the table anew.
#
# Each port must pass; each broken port of examples/ports/mutants.tsv must not, and the runner must name its stage.
#
# A language that is missing here fails the check: with CI=true its Debian packages are installed first, elsewhere the status is 77 once
# the others have run. So the table claims no language that did not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. scripts/lib/need.sh

ports=$PWD/examples/ports
page=docs/conformance.md
typescript=typescript@5.9.3
tmp=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
mkdir "$tmp/logs" "$tmp/records" "$tmp/mutants"

# rows FILE: its lines without comments.
rows() { grep -v '^#' "$1"; }

mapfile -t languages < <(rows "$ports/ports.tsv" | cut -f 1)
mapfile -t mutants < <(rows "$ports/mutants.tsv")

# port LANGUAGE: sets the columns of its row.
port() {
  IFS=$'\t' read -r language folder keys command packages build around run < <(rows "$ports/ports.tsv" | awk -F '\t' -v wanted="$1" '$1 == wanted')
  [ "$around" != - ] || around=
}

can() { hash -r && command -v "$1" >/dev/null; }

# install brings the commands that are missing, all at once.
install() {
  local missing=()
  for language in "${languages[@]}"; do
    port "$language"
    can "$command" || missing+=($packages)
  done
  can npm || missing+=(npm)
  if [ "${#missing[@]}" -gt 0 ] && [ "${CI-}" = true ]; then install_packages "${missing[@]}"; fi
}

# prove FOLDER CONFORM_FLAG...: builds the port in a folder and runs it; language and the rest are set.
prove() {
  cd "$1"
  export out=$1/out.$BASHPID
  mkdir "$out"
  [ "$build" = - ] || eval "$build"
  $around "$tmp/slotkey" conform "${@:2}" -- bash -c "exec env $run"
}

# run_port LANGUAGE: a copy of its folder, so that nothing is written into the tree.
run_port() {
  port "$1"
  cp -r "$ports/$folder" "$tmp/$folder"
  prove "$tmp/$folder" --keys "$keys" --record "$tmp/records/$folder"
}

# run_mutant NUMBER LANGUAGE STAGE BUG FILE FROM TO: breaks a copy of the port.
run_mutant() {
  local dir=$tmp/mutants/$1 stage=$3 report status=0
  port "$2"
  cp -r "$ports/$folder" "$dir"
  python3 - "$dir/$5" "$6" "$7" <<'PYTHON'
import pathlib, sys
file, before, after = pathlib.Path(sys.argv[1]), *sys.argv[2:]
text = file.read_text()
assert text.count(before) >= 1, f"{file.name} has no longer {before!r}"
file.write_text(text.replace(before, after))
PYTHON
  build=${build// -Werror/} build=${build// -D warnings/}
  report=$(prove "$dir" --keys 0 2>&1) || status=$?
  if [ "$status" != 1 ] || ! grep -q "wrong answer, stage $stage" <<<"$report"; then
    echo "status $status, want 1 and stage $stage"
    echo "$report"
    return 1
  fi
  grep 'wrong answer' <<<"$report"
}

# check_types: a TypeScript program sees the types of the JavaScript port, and the compiler refuses the wrong uses in it.
check_types() {
  npm install --silent --no-save --no-audit --no-fund --prefix "$tmp/tsc" "$typescript"
  "$tmp/tsc/node_modules/.bin/tsc" --noEmit --strict --target es2022 --module nodenext "$ports/javascript/types.mts"
}

# start NAME COMMAND...: in the background, not more at once than processors.
start() {
  while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
  (set +e; "${@:2}" >"$tmp/logs/$1" 2>&1; echo $? >"$tmp/logs/$1.status") &
}

install
go -C cmd/slotkey build -o "$tmp/slotkey" .
missing=()
names=()
for language in "${languages[@]}"; do
  port "$language"
  if can "$command"; then
    names+=("$language")
    start "$language" run_port "$language"
  else
    missing+=("$language (Debian: apt-get install $packages)")
  fi
done
number=0
for row in "${mutants[@]}"; do
  IFS=$'\t' read -r language stage bug file from to <<<"$row"
  number=$((number + 1))
  port "$language"
  can "$command" || continue
  names+=("mutant $number, $language, $bug")
  start "mutant $number, $language, $bug" run_mutant "$number" "$language" "$stage" "$bug" "$file" "$from" "$to"
done
if can npm; then
  names+=(TypeScript)
  start TypeScript check_types
else
  missing+=('TypeScript (Debian: apt-get install npm)')
fi
wait

failed=0
for name in "${names[@]}"; do
  if [ "$(cat "$tmp/logs/$name.status")" = 0 ]; then
    echo "$name: $(grep -E '^generated|wrong answer' "$tmp/logs/$name" || echo passed)"
  else
    failed=$((failed + 1))
    printf '%s FAILED:\n' "$name"
    sed 's/^/    /' "$tmp/logs/$name"
  fi
done
[ "$failed" = 0 ] || exit 1
echo "note: $(cat "$tmp"/records/* | wc -l) ports pass, $number broken ones are found out"
if [ "${#missing[@]}" -gt 0 ]; then
  printf 'missing: %s\n' "${missing[@]}"
  echo "not all languages are here: ${missing[*]%% *}"
  exit 77
fi
cat "$tmp"/records/* >"$tmp/record"
python3 "$ports/table.py" "${1---check}" "$page" "$ports/ports.tsv" "$tmp/record"
