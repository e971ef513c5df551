# shellcheck shell=bash
# Which member of a group owns an event: the slotkey rule "fnv1a32-fmix32 subject,id". Bash 4 or newer; sourced.
#
# Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
# because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
# finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
# normalisation. A string is its bytes, valid UTF-8 or not; Bash cannot hold a NUL. Results are in REPLY, which costs no subshell;
# $(…) would also take line feeds off a key's end.
#
#     slotkey_owns "$key" 3 1 || continue # another member has it
#
# It is slow, some thousand keys a second: for scripts, not for streams.

# The key of an event; the empty string, which is no key, where it has none. An empty attribute is absent.
slotkey_routing_key() { # subject id
  REPLY=${1:-$2}
}

# The first stage of the hash. Arithmetic has 64 bits and wraps, so the low 32 are always right.
slotkey_fnv1a32() { # key
  local LC_ALL=C key=$1 piece byte
  local -i h=2166136261 at i
  for ((at = 0; at < ${#key}; at += 64)); do # in pieces: finding a character of a long string is slow
    piece=${key:at:64}
    for ((i = 0; i < ${#piece}; i++)); do
      printf -v byte %d "'${piece:i:1}" # negative from 0x80 on in some releases: hence the mask
      h=$(((h ^ byte & 0xff) * 16777619 & 0xffffffff))
    done
  done
  REPLY=$h
}

# The second stage of the hash.
slotkey_fmix32() { # state
  local -i h=$1
  h=$(((h ^ h >> 16) * 0x85ebca6b & 0xffffffff))
  h=$(((h ^ h >> 13) * 0xc2b2ae35 & 0xffffffff))
  REPLY=$((h ^ h >> 16))
}

# The hash of a key, 0 to 2^32 - 1.
slotkey_hash32() { # key
  slotkey_fnv1a32 "$1"
  slotkey_fmix32 "$REPLY"
}

# The slot of a key in a group of size slots, from 0. Status 2 unless size is 1 to 1024.
slotkey_slot() { # key size
  (($2 >= 1 && $2 <= 1024)) || return 2
  slotkey_hash32 "$1"
  REPLY=$((REPLY % $2))
}

# Status 0 if the member that holds slot index owns the key, 1 if not, 2 unless 0 <= index < size <= 1024.
slotkey_owns() { # key size index
  (($3 >= 0 && $3 < $2)) || return 2
  slotkey_slot "$1" "$2" || return 2
  ((REPLY == $3))
}
