#!/usr/bin/env bash
# A step of the gate: the SQL of docs/brokers.md, as it stands there, on PostgreSQL. Three members read an outbox while transactions overlap; each
# event comes to one member, in the order of its key, and none is passed over.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. scripts/lib/need.sh

need psql postgresql
if [ "${1-}" != inside ]; then exec bash examples/ports/sql/cluster.sh bash "${BASH_SOURCE[0]}" inside; fi

dir=$(mktemp -d)
trap 'exec 3>&- 4>&- 5>&- || true; wait; rm -rf "$dir"' EXIT

# block N: the Nth SQL block of the page.
block() { awk -v wanted="$1" '/^```sql/ { n++; on = 1; next } /^```/ { on = 0 } on && n == wanted' docs/brokers.md; }

fail() {
  echo "$*"
  exit 1
}

psql -X -q -v ON_ERROR_STOP=1 -f examples/ports/sql/slotkey.sql
block 1 | psql -X -q -v ON_ERROR_STOP=1
mark=$(block 2)
read_own=$(block 3)
[[ $mark == SELECT* && $read_own == SELECT*'= 1'* ]] || fail 'the SQL of docs/brokers.md is not where it was'

# Three sessions, each an open psql.
for i in 3 4 5; do
  mkfifo "$dir/in$i"
  psql -X -q -A -t -v ON_ERROR_STOP=1 <"$dir/in$i" >"$dir/out$i" 2>&1 &
  eval "exec $i>'$dir/in$i'"
done
marks=0
# in_session I SQL: returns when it is done.
in_session() {
  marks=$((marks + 1))
  printf '%s;\n\\echo mark %s\n' "$2" "$marks" >&"$1"
  for _ in $(seq 200); do
    grep -q "^mark $marks\$" "$dir/out$1" && return
    grep -q ERROR "$dir/out$1" && break
    sleep 0.05
  done
  fail "session $1: $2: $(cat "$dir/out$1")"
}

number=0
# event I SUBJECT: session I writes an event.
event() {
  number=$((number + 1))
  in_session "$1" "INSERT INTO outbox (subject, id, event) VALUES (nullif('$2', ''), nullif('$3', 'none'), '{\"n\": $number}')"
}

position=(0 0 0)
# poll [COMMAND...]: each member takes the mark, something happens, and each reads once, as the page says.
poll() {
  local slot before high rows
  IFS='|' read -r before high < <(psql -X -q -A -t -c "$mark")
  "${@:-:}"
  for slot in 0 1 2; do
    rows=$(psql -X -q -A -t -c "PREPARE own AS ${read_own/= 1/= $slot}" -c "EXECUTE own(${position[slot]}, ${high:-0}, '$before')")
    [ -z "$rows" ] || position[slot]=$(tail -n 1 <<<"$rows" | cut -d '|' -f 1)
    [ -z "$rows" ] || sed "s/^/$slot|/" <<<"$rows" >>"$dir/read"
  done
}

# The transaction that got its number first takes the higher position and ends first; the one with the lower position ends later.
touch "$dir/read"
in_session 3 'BEGIN; SELECT pg_current_xact_id()'
in_session 4 'BEGIN'
event 4 order-7 one
event 3 order-8 two
event 3 order-9 three
in_session 3 COMMIT
poll
[ ! -s "$dir/read" ] || fail "read although a transaction with a lower position is open: $(cat "$dir/read")"
in_session 4 COMMIT
poll
[ "$(wc -l <"$dir/read")" = 3 ] || fail "of 3 events were read: $(cat "$dir/read")"

# A number that is taken while the position waits is no way around it either: the row of session 5 is written by nobody yet.
in_session 5 'BEGIN'
for n in $(seq 20); do
  event 5 "order-$n" "a$n"
  in_session 3 'BEGIN'
  event 3 "order-$n" "b$n"
  in_session 3 COMMIT
  poll
done
in_session 5 COMMIT

# What comes between the two steps is left for the next time: a lower position may still be open.
overlap() {
  for n in 1 2 3 4; do
    event 5 "order-$n" "c$n"
    event 3 "order-$n" "d$n"
  done
}
in_session 5 BEGIN
poll overlap
in_session 5 COMMIT

in_session 4 "INSERT INTO outbox (subject, id, event) VALUES (NULL, '', '{\"n\": 52}')" # has no key
poll
poll

# All 52, each once, each by the member that the function names, those of a member in the order of their positions.
[ "$(sed 's/.*"n": \([0-9]*\).*/\1/' "$dir/read" | sort -n | tr '\n' ' ')" = "$(seq 52 | tr '\n' ' ')" ] || fail "not each event once: $(cat "$dir/read")"
for slot in 0 1 2; do
  [ "$(grep "^$slot|" "$dir/read")" = "$(psql -X -q -A -t -F '|' -c "SELECT $slot, position, event FROM outbox WHERE
    slotkey_slot(coalesce(nullif(subject, ''), id), 3) = $slot ORDER BY position")" ] || fail "member $slot: $(cat "$dir/read")"
  grep -q "^$slot|" "$dir/read" || fail "member $slot has nothing"
done

# The index serves the query.
psql -X -q -A -t -c 'SET enable_seqscan = off' -c "PREPARE own AS $read_own" -c "EXPLAIN EXECUTE own(0, 52, '1')" >"$dir/plan"
grep -q 'outbox_slotkey_slot_position_idx' "$dir/plan" || fail "no index: $(cat "$dir/plan")"
echo "note: 52 events of overlapping transactions, each read once by its member, on $(psql -X -A -t -c 'SHOW server_version')"
