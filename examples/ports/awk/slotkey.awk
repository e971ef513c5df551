# Which member of a group owns an event: the slotkey rule "fnv1a32-fmix32 subject,id". POSIX awk; run it with LC_ALL=C, so that a
# character is a byte.
#
# Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
# because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
# finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
# normalisation. A key is a string of bytes without NUL, valid UTF-8 or not.
#
#     if (slotkey_owns(key, 3, 1) != 1) next # another member has it
#
# awk has doubles and no bit operations: products are taken apart so that none passes 2^53, and XOR is a table.

BEGIN {
    if (length("é") != 2) { print "slotkey.awk: run awk with LC_ALL=C" > "/dev/stderr"; exit 2 }
    for (_i = 1; _i < 256; _i++) _slotkey_byte[sprintf("%c", _i)] = _i
    for (_i = 0; _i < 256; _i++)
        for (_j = 0; _j < 256; _j++) {
            _xor = 0
            for (_bit = 1; _bit < 256; _bit *= 2) if (int(_i / _bit) % 2 != int(_j / _bit) % 2) _xor += _bit
            _slotkey_xor[_i * 256 + _j] = _xor
        }
}

# The key of an event; the empty string, which is no key, where it has none. An empty attribute is absent.
function slotkey_routing_key(subject, id) {
    return length(subject) > 0 ? subject : id
}

# The first stage of the hash. 16777619 is 2^24 + 403.
function slotkey_fnv1a32(key,    h, i, n, low) {
    h = 2166136261
    n = length(key)
    for (i = 1; i <= n; i++) {
        low = h % 256
        h += _slotkey_xor[low * 256 + _slotkey_byte[substr(key, i, 1)]] - low
        h = (h % 256 * 16777216 + h * 403) % 4294967296
    }
    return h
}

# The second stage of the hash.
function slotkey_fmix32(h) {
    h = _slotkey_multiply(_slotkey_fold(h, 65536), 2246822507)
    h = _slotkey_multiply(_slotkey_fold(h, 8192), 3266489909)
    return _slotkey_fold(h, 65536)
}

# h XOR h / divisor
function _slotkey_fold(h, divisor,    shifted, result, unit) {
    shifted = int(h / divisor)
    for (unit = 1; unit < 4294967296; unit *= 256) {
        result += _slotkey_xor[h % 256 * 256 + shifted % 256] * unit
        h = int(h / 256)
        shifted = int(shifted / 256)
    }
    return result
}

# a * b modulo 2^32, in halves
function _slotkey_multiply(a, b) {
    return (a % 65536 * b + int(a / 65536) * b % 65536 * 65536) % 4294967296
}

# The hash of a key, 0 to 2^32 - 1.
function slotkey_hash32(key) {
    return slotkey_fmix32(slotkey_fnv1a32(key))
}

# The slot of a key in a group of size slots, from 0; -1 unless size is 1 to 1024.
function slotkey_slot(key, size) {
    return size >= 1 && size <= 1024 ? slotkey_hash32(key) % size : -1
}

# Whether the member that holds slot index owns the key: 1 or 0; -1 unless 0 <= index < size <= 1024.
function slotkey_owns(key, size, index_) {
    if (index_ < 0 || index_ >= size || size > 1024) return -1
    return slotkey_slot(key, size) == index_
}

# Fills holder with the holders of slots 0 to slots - 1, if members share them: balanced, and stable when members
# change. 0; -1 unless 1 <= members <= slots <= 1024.
function slotkey_deal(slots, members, holder,    held, s, m, n, newcomer, giver) {
    if (members < 1 || members > slots || slots > 1024) return -1
    for (s = 0; s < slots; s++) holder[s] = 0
    for (m = 0; m < members; m++) held[m] = 0
    held[0] = slots
    for (newcomer = 1; newcomer < members; newcomer++)
        for (n = int(slots / (newcomer + 1)); n > 0; n--) {
            giver = 0
            for (m = 1; m < newcomer; m++) if (held[m] >= held[giver]) giver = m
            for (s = slots - 1; holder[s] != giver; s--) continue
            holder[s] = newcomer
            held[giver]--
            held[newcomer]++
        }
    return 0
}
