#!/usr/bin/env bash
# A step of the gate: the consumer examples, each on its embedded broker, and on real servers of NATS, Redis, mosquitto and RabbitMQ, with a
# signal in the middle, and with a server that is not there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. scripts/lib/need.sh
PATH+=:/usr/sbin # of mosquitto

need nats-server nats-server
need redis-server redis-server
need mosquitto mosquitto
need mosquitto_sub mosquitto-clients
rabbitmq=/usr/lib/rabbitmq/bin/rabbitmq-server # the one in the PATH runs it as another user
need "$rabbitmq" rabbitmq-server

dir=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; wait; [ -z "${ERL_EPMD_PORT-}" ] || epmd -kill >/dev/null 2>&1 || true; rm -rf "$dir"' EXIT

examples=(nats jetstream redis kafka mqtt cloudevents http watermill dapr publisher inbox)
mkdir "$dir/bin"
go -C examples build -o "$dir/bin/" "${examples[@]/#/./}" ./rabbitmq

# passes NAME ARGUMENTS... runs an example and wants its verdict.
passes() {
  local out=$dir/out
  if ! timeout 120 "$dir/bin/$1" "${@:2}" >"$out" 2>&1 || ! grep -q '^PASS: all ' "$out" || grep -q FAIL "$out"; then
    echo "$* failed:"
    cat "$out"
    return 1
  fi
  head -n 1 "$out"
}

# dead NAME FLAG ADDRESS wants one line within seconds where nobody listens.
dead() {
  local status=0
  timeout 30 "$dir/bin/$1" "$2" "$3" >"$dir/out" 2>"$dir/err" || status=$?
  if [ "$status" != 1 ] || [ -s "$dir/out" ] || [ "$(wc -l <"$dir/err")" != 1 ]; then
    echo "$* ended with status $status:"
    cat "$dir/out" "$dir/err"
    return 1
  fi
}

for name in "${examples[@]}"; do passes "$name"; done

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
redis-server --bind 127.0.0.1 --port "$redis" --save '' --appendonly yes --dir "$dir" >"$dir/redis.log" 2>&1 &
pids+=($!)
mqtt=$(free_port)
printf 'listener %s 127.0.0.1\nallow_anonymous true\nsys_interval 1\n' "$mqtt" >"$dir/mosquitto.conf"
mosquitto -c "$dir/mosquitto.conf" >"$dir/mqtt.log" 2>&1 &
pids+=($!)
amqp=$(free_port)
ERL_EPMD_PORT=$(free_port) # RabbitMQ starts its port mapper by itself, and leaves it behind
export ERL_EPMD_PORT ERL_EPMD_ADDRESS=127.0.0.1
mkdir "$dir/rabbitmq"
echo '[].' >"$dir/rabbitmq/plugins"
touch "$dir/rabbitmq/env"
env HOME="$dir/rabbitmq" RABBITMQ_NODENAME=check@localhost RABBITMQ_NODE_IP_ADDRESS=127.0.0.1 RABBITMQ_NODE_PORT="$amqp" RABBITMQ_DIST_PORT="$(free_port)" \
  RABBITMQ_MNESIA_BASE="$dir/rabbitmq/mnesia" RABBITMQ_LOG_BASE="$dir/rabbitmq/log" RABBITMQ_PID_FILE="$dir/rabbitmq/pid" \
  RABBITMQ_ENABLED_PLUGINS_FILE="$dir/rabbitmq/plugins" RABBITMQ_CONF_ENV_FILE="$dir/rabbitmq/env" RABBITMQ_CONFIG_FILE="$dir/rabbitmq/config" \
  RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='-kernel inet_dist_use_interface {127,0,0,1}' \
  "$rabbitmq" >"$dir/amqp.log" 2>&1 &
pids+=($!)
listening "$nats" nats
listening "$redis" redis
listening "$mqtt" mqtt
listening "$amqp" amqp

for name in nats jetstream cloudevents watermill publisher inbox; do
  passes "$name" -url "nats://127.0.0.1:$nats"
  dead "$name" -url nats://127.0.0.1:1
done
passes redis -url "redis://127.0.0.1:$redis" -members 5
dead redis -url redis://127.0.0.1:1
passes mqtt -url "mqtt://127.0.0.1:$mqtt" -members 5
dead mqtt -url mqtt://127.0.0.1:1
dead kafka -brokers 127.0.0.1:1
passes rabbitmq -url "amqp://guest:guest@127.0.0.1:$amqp" -members 5
dead rabbitmq -url amqp://127.0.0.1:1
RABBITMQ_URL=amqp://guest:guest@127.0.0.1:$amqp go -C examples test -count=1 ./rabbitmq

# Two runs at a time on one server leave each other alone, and a signal ends one with a report.
"$dir/bin/jetstream" -url "nats://127.0.0.1:$nats" -duration 10m -rate 500 >"$dir/long" 2>&1 &
long=$!
pids+=("$long")
passes jetstream -url "nats://127.0.0.1:$nats"
kill -TERM "$long"
wait "$long"
grep -q '^interrupted: ' "$dir/long"
grep -q '^PASS: all ' "$dir/long"

# Nothing stays behind on a server.
[ -z "$(redis-cli -p "$redis" keys '*')" ]
[ -z "$(find "$dir/jetstream" -name 'demo-*')" ]
sleep 2 # until mosquitto has counted its sessions again
[ "$(mosquitto_sub -h 127.0.0.1 -p "$mqtt" -t '$SYS/broker/clients/total' -C 1)" = 0 ]
echo "note: ${#examples[@]} examples passed on embedded brokers, and on $(nats-server --version), $(redis-server --version | cut -d ' ' -f 1-3), $(mosquitto -h | head -n 1)"
