#!/usr/bin/env bash
# A step of the gate: the example announce against real servers of NATS and Redis.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. scripts/lib/need.sh

need nats-server nats-server
need redis-server redis-server

dir=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; wait; rm -rf "$dir"' EXIT

# free_port prints a port of the loopback interface that nobody listens on.
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# listening PORT NAME waits until the server accepts connections.
listening() {
  for _ in $(seq 100); do
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
    sleep 0.1
  done
  echo "$2 does not listen:"
  cat "$dir/$2.log"
  return 1
}

nats=$(free_port)
nats-server -a 127.0.0.1 -p "$nats" -js -sd "$dir/jetstream" >"$dir/nats.log" 2>&1 &
pids+=($!)
redis=$(free_port)
redis-server --bind 127.0.0.1 --port "$redis" --save '' --dir "$dir" >"$dir/redis.log" 2>&1 &
pids+=($!)
listening "$nats" nats
listening "$redis" redis

timeout 240 go -C examples run ./announce -url "nats://127.0.0.1:$nats" -redis "redis://127.0.0.1:$redis" | tee "$dir/out"
[ "$(grep -c 'the server given$' "$dir/out")" = 2 ]
echo "note: announce passed on $(nats-server --version) and $(redis-server --version | cut -d ' ' -f 1-3)"
