"""digest.v1: one number for the hashes of very many keys."""

import hashlib
import struct

from vectorkit.spec import fmix32, fnv1a32
from vectorkit.tests import Tests, document

NOTES = {"accumulated": "One digest over all hashes. Catches a fault that shows for few keys in a million, and says in one line that a port is right."}


def digest_v1():
    t = Tests()
    for count in (100, 10_000, 1_000_000):
        states, sums = hashlib.sha256(), hashlib.sha256()
        for n in range(count):
            h = fnv1a32(b"%d" % n)
            states.update(struct.pack(">I", h))
            sums.update(struct.pack(">I", fmix32(h)))
        t.add(f"the decimal keys 0 to {count - 1}", "3", ["accumulated"], count=count,
              fnv1a32_sha256=states.hexdigest(), hash_sha256=sums.hexdigest())
    return document("digest.v1", t, NOTES)


FILES = {"digest.v1": digest_v1}
