# shellcheck shell=bash
# Steps on other toolchains and processors. Sourced by check.sh.

# promises_oldest_go MODULE: whether its go.mod lets the oldest Go in.
promises_oldest_go() {
  case $OLDEST_GO in
    "go$(go -C "$1" list -m -f '{{.GoVersion}}' | cut -d . -f 1,2)".*) true ;;
    *) false ;;
  esac
}

check_oldest() {
  export GOTOOLCHAIN=$OLDEST_GO
  go version || { echo "cannot be had here: $OLDEST_GO"; exit 77; }
  run_tests "$1"
}

# An int that holds 64 bits only here is seen without running anything: test files are compiled too.
check_vet_32() { GOARCH=arm CGO_ENABLED=0 go vet ./...; }

# check_emulated ARCH: the root's tests under qemu's user mode. It is some ten times slower, so exhaustive tests shorten
# themselves under -short; what they compute here is how a processor counts, not how much there is to count.
check_emulated() {
  local qemu=qemu-$1-static
  command -v "$qemu" >/dev/null || { qemu=qemu-$1; need "$qemu" qemu-user; }
  export GOARCH=$1 GOARM=7 CGO_ENABLED=0
  run_tests . -short -timeout 20m -exec "$qemu"
}
