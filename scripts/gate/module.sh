# shellcheck shell=bash
# Steps that run in each module of the repository. Sourced by check.sh.

# modules prints the folder of each module, the root as `.`; a new nested module is found without a change here.
modules() {
  git ls-files -co --exclude-standard -- ':(glob)**/go.mod' ':(exclude,glob)**/testdata/**' | xargs -n 1 dirname | sort
}

# for_each_module NAME COMMAND [CONDITION]: a step for each module for which the condition holds.
for_each_module() {
  local module
  for module in $(modules); do
    if "${3:-true}" "$module"; then step "$1: $module" "$2" "$module"; fi
  done
}

check_build() { go -C "$1" build ./...; }

check_vet() { go -C "$1" vet ./...; }

check_tidy() { go -C "$1" mod tidy -diff; }

check_staticcheck() {
  local staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
  go run "$staticcheck" -version || { echo "cannot be built here: $staticcheck"; exit 77; }
  (cd "$1" && go run "$staticcheck" ./...)
}

# Since Go 1.26 `go fix` rewrites what a newer Go says better; nothing of that kind may be left.
check_fix() {
  local diff status=0
  diff=$(go -C "$1" fix -diff ./...) || status=$?
  printf '%s\n' "$diff"
  [ -z "$diff" ] && [ "$status" = 0 ]
}

check_test() { run_tests "$1"; }

check_race() {
  need gcc gcc libc6-dev
  run_tests "$1" -race
}

# run_tests MODULE FLAG...: all tests of a module. Tests that did not run are not tests that passed: a package whose files
# hold no test, or a module without any, fails, and skipped tests are named.
run_tests() {
  local log=$GATE_TMP/tests status=0
  go -C "$1" test -v "${@:2}" ./... >"$log" 2>&1 || status=$?
  grep -vE '^ *(=== (RUN|PAUSE|CONT|NAME) |--- PASS: )|^PASS$' "$log" || true
  printf 'note: %d tests and subtests passed\n' "$(grep -cE '^ *--- PASS: ' "$log")"
  sed -nE 's/^ *--- SKIP: ([^ ]+).*/note: skipped \1/p' "$log"
  [ "$status" = 0 ] || return "$status"
  if grep -qF '[no tests to run]' "$log"; then echo 'a package ran no test'; return 1; fi
  grep -qE '^--- PASS: ' "$log" || { echo 'the module ran no test'; return 1; }
}

# A benchmark that nobody runs rots; once is enough to see that it still works.
check_benchmarks() {
  go -C "$1" test -run '^$' -bench . -benchtime 1x ./... | tee "$GATE_TMP/benchmarks"
  printf 'note: %d benchmarks\n' "$(grep -cE '^Benchmark[^ ]*[[:space:]]+[0-9]' "$GATE_TMP/benchmarks")"
}

check_fuzz() {
  local targets=$GATE_TMP/targets package target
  go -C "$1" test -list '^Fuzz' ./... | tee "$GATE_TMP/list"
  awk '/^Fuzz/ { names[n++] = $1 } /^ok/ { for (i = 0; i < n; i++) print $2, names[i]; n = 0 }' "$GATE_TMP/list" >"$targets"
  while read -r package target <&3; do
    fuzz "$1" "$package" "$target" || return
  done 3<"$targets"
  printf 'note: %d fuzz targets, %s each\n' "$(wc -l <"$targets")" "${FUZZTIME:-3s}"
}

# fuzz MODULE PACKAGE TARGET
# Up to Go 1.26 a run whose time is up can end as a failure that says no more than "context deadline exceeded"
# (https://go.dev/issue/75804): that, and only that, is tried once more.
fuzz() {
  local log=$GATE_TMP/fuzz try
  for try in 1 2; do
    if go -C "$1" test -run '^$' -fuzz "^$3\$" -fuzztime "${FUZZTIME:-3s}" "$2" >"$log" 2>&1; then return; fi
    if ! grep -q '^ *context deadline exceeded$' "$log" || grep -qE 'Failing input|panic' "$log"; then break; fi
  done
  printf '%s %s, try %d:\n' "$2" "$3" "$try"
  cat "$log"
  return 1
}
