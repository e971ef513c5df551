/* Which member of a group owns an event: the slotkey rule "fnv1a32-fmix32 subject,id". C99, one header, no allocation.
 *
 * Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
 * because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
 * finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
 * normalisation. A key is a pointer and a length: it may hold NUL, and need not be valid UTF-8. Numbers out of their limits give -1.
 *
 *     if (slotkey_owns(key, len, 3, 1) != 1) return; // acknowledge and forget: another member has it
 */
#ifndef SLOTKEY_H
#define SLOTKEY_H

#include <stddef.h>
#include <stdint.h>

#define SLOTKEY_MAX_SIZE 1024

struct slotkey_bytes {
    const unsigned char *data; /* NULL: absent */
    size_t len;
};

/* The key of an event; its data is NULL where it has none. An attribute that is NULL or empty is absent. */
static inline struct slotkey_bytes slotkey_routing_key(struct slotkey_bytes subject, struct slotkey_bytes id)
{
    const struct slotkey_bytes none = {NULL, 0};
    if (subject.data != NULL && subject.len > 0) return subject;
    return id.data != NULL && id.len > 0 ? id : none;
}

/* The first stage of the hash. unsigned char, because a plain char may be signed. */
static inline uint32_t slotkey_fnv1a32(const void *key, size_t len)
{
    const unsigned char *p = key;
    uint32_t h = UINT32_C(2166136261);
    for (size_t i = 0; i < len; i++) h = (h ^ p[i]) * UINT32_C(16777619);
    return h;
}

/* The second stage of the hash. */
static inline uint32_t slotkey_fmix32(uint32_t h)
{
    h = (h ^ h >> 16) * UINT32_C(0x85ebca6b);
    h = (h ^ h >> 13) * UINT32_C(0xc2b2ae35);
    return h ^ h >> 16;
}

/* The hash of a key. */
static inline uint32_t slotkey_hash32(const void *key, size_t len)
{
    return slotkey_fmix32(slotkey_fnv1a32(key, len));
}

/* The slot of a key in a group of size slots, from 0; -1 unless size is 1 to 1024. */
static inline int slotkey_slot(const void *key, size_t len, long long size)
{
    if (size < 1 || size > SLOTKEY_MAX_SIZE) return -1;
    return (int)(slotkey_hash32(key, len) % (uint32_t)size);
}

/* Whether the member that holds slot index owns the key: 1 or 0; -1 unless 0 <= index < size <= 1024. */
static inline int slotkey_owns(const void *key, size_t len, long long size, long long index)
{
    if (index < 0 || index >= size || size > SLOTKEY_MAX_SIZE) return -1;
    return slotkey_slot(key, len, size) == index;
}

/* Writes the holders of slots 0 to slots - 1, if members share them, to holder, which has room for slots numbers:
 * balanced, and stable when members change. 0; -1 unless 1 <= members <= slots <= 1024. */
static inline int slotkey_deal(long long slots, long long members, int *holder)
{
    int held[SLOTKEY_MAX_SIZE] = {0};
    if (members < 1 || members > slots || slots > SLOTKEY_MAX_SIZE) return -1;
    for (int s = 0; s < slots; s++) holder[s] = 0;
    held[0] = (int)slots;
    for (int newcomer = 1; newcomer < members; newcomer++) {
        for (long long n = slots / (newcomer + 1); n > 0; n--) {
            int giver = 0, s = (int)slots - 1;
            for (int m = 1; m < newcomer; m++)
                if (held[m] >= held[giver]) giver = m;
            while (holder[s] != giver) s--;
            holder[s] = newcomer;
            held[giver]--;
            held[newcomer]++;
        }
    }
    return 0;
}

#endif
