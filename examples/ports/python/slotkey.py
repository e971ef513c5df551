"""Which member of a group owns an event: the slotkey rule `fnv1a32-fmix32 subject,id`.

Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree, because all
compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's finalizer;
slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
normalisation. A str counts as its UTF-8; bytes count as themselves, valid UTF-8 or not.

    if not slotkey.owns(key, size=3, index=1):
        return  # acknowledge and forget: another member has it
"""

MAX_SIZE = 1024


def routing_key(subject, id):
    """The key of an event, or None where it has none. An attribute that is None or empty is absent."""
    return subject or id or None


def fnv1a32(data):
    """The first stage of the hash, over bytes."""
    h = 2166136261
    for byte in data:
        h = (h ^ byte) * 16777619 & 0xFFFFFFFF
    return h


def fmix32(h):
    """The second stage of the hash."""
    h = (h ^ h >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return h ^ h >> 16


def encode(key):
    return key.encode() if isinstance(key, str) else key


def hash32(key):
    """The hash of a key (str or bytes), 0 to 2**32 - 1. Unlike hash() it is the same in every process."""
    return fmix32(fnv1a32(encode(key)))


def slot(key, size):
    """The slot of a key in a group of size slots, from 0."""
    if not 1 <= size <= MAX_SIZE:
        raise ValueError(f"size {size} is not 1 to {MAX_SIZE}")
    return hash32(key) % size


def owns(key, size, index):
    """Whether the member that holds slot index owns the key."""
    if not 0 <= index < size:
        raise ValueError(f"index {index} is not below size {size}")
    return slot(key, size) == index


def deal(slots, members):
    """The holders of slots 0 to slots - 1, if members share them: balanced, and stable when members change."""
    if not 1 <= members <= slots <= MAX_SIZE:
        raise ValueError(f"{members} members cannot share {slots} slots")
    hands = [list(range(slots))]
    while len(hands) < members:
        taken = []
        for _ in range(slots // (len(hands) + 1)):
            giver = max(enumerate(hands), key=lambda hand: (len(hand[1]), hand[0]))[1]
            taken.append(giver.pop())
        hands.append(sorted(taken))
    holder = {s: member for member, hand in enumerate(hands) for s in hand}
    return [holder[s] for s in range(slots)]
