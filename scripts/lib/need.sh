# shellcheck shell=bash
# Commands that a step needs. Sourced by check.sh; a script in scripts/checks sources it too.

# need COMMAND PACKAGE...
# Returns when COMMAND can be run. With CI=true it installs the Debian packages that bring it; elsewhere it ends the step
# with status 77, "not run here".
need() {
  command -v "$1" >/dev/null && return
  [ "${CI-}" = true ] && install_packages "${@:2}"
  command -v "$1" >/dev/null && return
  echo "needs the command $1 (Debian: apt-get install ${*:2})"
  exit 77
}

install_packages() {
  local updated=${GATE_TMP:-/nonexistent}/apt-updated
  [ -e "$updated" ] || apt_get update
  [ -z "${GATE_TMP-}" ] || touch "$updated"
  apt_get install -y --no-install-recommends "$@"
}

apt_get() {
  local as_root=env
  [ "$(id -u)" = 0 ] || as_root=sudo
  "$as_root" DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@"
}
