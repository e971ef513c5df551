# shellcheck shell=bash
# The runner of the gate: runs steps, one after the other, and sums up. Sourced by check.sh.

passed=0 failed=0 skipped=0
failures=() not_run=()
GATE_TMP=$(mktemp -d) || exit 1
export GATE_TMP
trap 'chmod -R u+w "$GATE_TMP"; rm -rf "$GATE_TMP"' EXIT
trap 'exit 130' INT TERM

# step NAME COMMAND...
# Runs the command in a subshell that stops at the first error, without standard input. Status 0 is passed, 77 is "not run
# here", which with CI=true is a failure; every other status is a failure. Of a step that passed only the lines `note: …`
# and go test's `ok …` are shown, of one that failed everything.
step() {
  local name=$1 start=$SECONDS status
  shift
  printf '== %s: ' "$name"
  (set -euo pipefail; "$@") >"$GATE_TMP/log" 2>&1 </dev/null
  status=$?
  case $status,${CI-} in
    0,*) step_passed ;;
    77,true) step_failed 'not run, which CI=true makes a failure' ;;
    77,*) step_skipped ;;
    *) step_failed "failed, status $status" ;;
  esac
}

step_passed() {
  passed=$((passed + 1))
  printf 'passed, %d s\n' $((SECONDS - start))
  grep -E '^(note: |ok +[^ ])' "$GATE_TMP/log"
}

step_failed() {
  failed=$((failed + 1))
  failures+=("$name")
  printf '%s, %d s\n' "$1" $((SECONDS - start))
  cat "$GATE_TMP/log"
}

step_skipped() {
  skipped=$((skipped + 1))
  not_run+=("$name: $(tail -n 1 "$GATE_TMP/log")")
  printf 'not run\n'
}

# summary prints the result and ends the script.
summary() {
  printf '\n'
  [ "$failed" = 0 ] || printf 'failed: %s\n' "${failures[@]}"
  [ "$skipped" = 0 ] || printf 'not run: %s\n' "${not_run[@]}"
  printf 'total time: %d s\n' "$SECONDS"
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  [ "$failed" = 0 ]
  exit
}
