# Speaks the protocol of docs/conformance.md for slotkey.awk:
#
#     LC_ALL=C awk -v version="$(…)" -f slotkey.awk -f conform.awk

BEGIN {
    FS = "\t"
    for (i = 1; i < 256; i++) character[sprintf("%02x", i)] = sprintf("%c", i)
    for (c in _slotkey_byte) digits[c] = sprintf("%02x", _slotkey_byte[c])
    printf "slotkey-port/1\tawk\t%s\tbytes deal\n", version
    fflush()
}

# The bytes of a field. An absent attribute is an empty one to slotkey.awk.
function bytes(field,    key, i, n) {
    if (field == "-") return ""
    n = length(field)
    for (i = 1; i < n; i += 2) key = key character[substr(field, i, 2)]
    return key
}

function hex(key,    text, i, n) {
    n = length(key)
    for (i = 1; i <= n; i++) text = text digits[substr(key, i, 1)]
    return n > 0 ? text : "-"
}

# %x is not up to 2^32 in every awk.
function hex32(h) { return sprintf("%04x%04x", int(h / 65536), h % 65536) }

function hashes(key,    state) {
    state = slotkey_fnv1a32(key)
    return hex32(state) "\t" hex32(slotkey_fmix32(state))
}

function holders(slots, members,    holder, text, s) {
    if (slotkey_deal(slots, members, holder) < 0) return "error\t" members " members cannot share " slots " slots"
    text = holder[0]
    for (s = 1; s < slots; s++) text = text "," holder[s]
    return text
}

function slot(key, size,    s) {
    s = slotkey_slot(key, size)
    return s < 0 ? "error\tsize " size " is not 1 to 1024" : hashes(key) "\t" s
}

function owns(key, size, index_,    o) {
    o = slotkey_owns(key, size, index_)
    if (o < 0) return "error\tthere is no index " index_ " of " size
    return o ? "true" : "false"
}

function answer() {
    if ($2 == "hash") return hashes(bytes($3))
    if ($2 == "slot") return slot(bytes($3), $4)
    if ($2 == "owns") return owns(bytes($3), $4, $5)
    if ($2 == "key") return hex(slotkey_routing_key(bytes($3), bytes($4)))
    if ($2 == "deal") return holders($3, $4)
    return "error\tunknown operation"
}

{ print $1 "\t" answer() }
