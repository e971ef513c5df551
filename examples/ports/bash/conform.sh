#!/usr/bin/env bash
# Speaks the protocol of docs/conformance.md for slotkey.sh.

. "$(dirname "${BASH_SOURCE[0]}")/slotkey.sh"

# An absent attribute is an empty one to slotkey.sh.
bytes() { # field
  local escaped='' piece at i
  [ "$1" = - ] || for ((at = 0; at < ${#1}; at += 128)); do
    piece=${1:at:128}
    for ((i = 0; i < ${#piece}; i += 2)); do escaped+="\\x${piece:i:2}"; done
  done
  printf -v REPLY %b "$escaped"
}

hex() { # bytes
  local LC_ALL=C text='' byte i
  for ((i = 0; i < ${#1}; i++)); do
    printf -v byte %d "'${1:i:1}"
    printf -v byte %02x $((byte & 0xff))
    text+=$byte
  done
  REPLY=${text:--}
}

hashes() { # key
  slotkey_fnv1a32 "$1"
  local state=$REPLY
  slotkey_fmix32 "$state"
  printf -v REPLY '%08x\t%08x' "$state" "$REPLY"
}

answer() { # operation field...
  local key sums
  bytes "${2-}"
  key=$REPLY
  case $1 in
    hash) hashes "$key" ;;
    slot)
      hashes "$key"
      sums=$REPLY
      slotkey_slot "$key" "$3" || { REPLY="error"$'\t'"size $3 is not 1 to 1024"; return; }
      REPLY=$sums$'\t'$REPLY
      ;;
    owns)
      slotkey_owns "$key" "$3" "$4"
      case $? in
        0) REPLY=true ;;
        1) REPLY=false ;;
        *) REPLY="error"$'\t'"there is no index $4 of $3" ;;
      esac
      ;;
    key)
      bytes "$3"
      slotkey_routing_key "$key" "$REPLY"
      hex "$REPLY"
      ;;
    *) REPLY="error"$'\t'"unknown operation" ;;
  esac
}

printf 'slotkey-port/1\tBash\t%s\tbytes\n' "${BASH_VERSION%%(*}"
while IFS= read -r line; do
  fields=() # by hand: IFS takes adjoining tabs, and so an empty field, for one
  while [[ $line == *$'\t'* ]]; do
    fields+=("${line%%$'\t'*}")
    line=${line#*$'\t'}
  done
  answer "${fields[@]:1}" "$line"
  printf '%s\t%s\n' "${fields[0]}" "$REPLY"
done
