#!/usr/bin/env bash
# Runs a command beside a private PostgreSQL server: cluster.sh COMMAND [ARGUMENT…]
#
# The server has a data folder of its own, listens on a Unix socket in it and on no port, and is gone afterwards. psql finds it by the
# environment. PostgreSQL does not run as root: there the server is the user nobody's.
set -euo pipefail

bin=$(pg_config --bindir 2>/dev/null || true)
[ -x "$bin/initdb" ] || bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
[ -x "$bin/initdb" ] || { echo 'no PostgreSQL server here (Debian: apt-get install postgresql)' >&2; exit 77; }

dir=$(mktemp -d)
as=()
if [ "$(id -u)" = 0 ]; then
  chown nobody "$dir"
  as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
fi
server() { (cd "$dir" && "${as[@]}" "$bin/pg_ctl" -s -D "$dir/data" "$@"); }
trap 'server -m immediate stop >&2 || true; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

(cd "$dir" && "${as[@]}" "$bin/initdb" -D data -U slotkey -A trust -E UTF8 --locale=C --no-sync >log)
server -w -l "$dir/server.log" -o "-c listen_addresses= -c unix_socket_directories=$dir -c fsync=off -c jit=off" start >&2

export PGHOST=$dir PGUSER=slotkey PGDATABASE=postgres PGCLIENTENCODING=UTF8
export PATH=$bin:$PATH
"$@"
