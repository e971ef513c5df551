#!/usr/bin/env bash
# The gate.
#
#   ./check.sh        while working: format, vet, staticcheck, build, tests of every module, the vectors against their
#                     generator. Minutes; no root, no installation.
#   ./check.sh all    everything a change must pass: the race detector, every benchmark and fuzz target, the oldest Go we
#                     promise, other processors, what a dependent module gets, the README's commands in a fresh clone,
#                     and each script in scripts/checks.
#
# All steps run, whatever fails; the last line counts them. What cannot run on this machine is reported as not run. With
# CI=true that is a failure, and the Debian packages that steps need are installed (as root, or through sudo).
#
# FUZZTIME (3s) is the time of each fuzz target. GOFLAGS and the other settings of Go are taken as they are.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
. scripts/lib/step.sh
. scripts/lib/need.sh
. scripts/gate/tree.sh
. scripts/gate/module.sh
. scripts/gate/platform.sh
. scripts/gate/consumer.sh

export GOWORK=off               # each module stands on its own go.mod
export PYTHONDONTWRITEBYTECODE=1 # no __pycache__ in the tree
OLDEST_GO=go1.24.13             # the newest release of the oldest Go that go.mod promises

everyday() {
  step 'gofmt' check_format
  step 'tree: absolute paths, workspaces' check_tree
  step 'Markdown links' check_links
  step 'vectors: generator' check_vectors
  for_each_module 'go build' check_build
  for_each_module 'go vet' check_vet
  step 'go vet, 32 bit' check_vet_32
  for_each_module 'go mod tidy' check_tidy
  for_each_module 'staticcheck' check_staticcheck
}

everything() {
  everyday
  for_each_module 'go fix' check_fix
  for_each_module 'go test -race' check_race
  for_each_module 'benchmarks, once' check_benchmarks
  for_each_module 'fuzz targets' check_fuzz
  for_each_module "go test, $OLDEST_GO" check_oldest promises_oldest_go
  step 'go test, arm (32 bit)' check_emulated arm
  step 'go test, s390x (big endian)' check_emulated s390x
  step 'dependencies: go.mod of the root' check_requirements
  step 'dependencies: a dependent module' check_consumer
  step 'README in a fresh clone' check_readme
  for script in scripts/checks/*.sh; do
    [ -e "$script" ] && step "$script" bash "$script"
  done
}

case ${1-} in
  '') everyday; for_each_module 'go test' check_test ;;
  all) everything ;;
  *) echo "usage: ./check.sh [all]" >&2; exit 2 ;;
esac
summary
