/**
 * Which member of a group owns an event: the slotkey rule `fnv1a32-fmix32 subject,id`.
 *
 * Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree, because
 * all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's finalizer;
 * slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
 * normalisation. A string counts as its UTF-8; a Uint8Array (a Buffer is one) as its bytes, valid UTF-8 or not.
 *
 *     if (!owns(key, 3, 1)) return; // acknowledge and forget: another member has it
 */

export const MAX_SIZE = 1024;

const encoder = new TextEncoder();
const encode = (key) => (typeof key === "string" ? encoder.encode(key) : key);

/** The key of an event, or undefined where it has none. An attribute that is undefined, null or empty is absent. */
export function routingKey(subject, id) {
  return [subject, id].find((attribute) => attribute?.length > 0);
}

/** The first stage of the hash. Math.imul, because products in doubles lose their low bits. */
export function fnv1a32(key) {
  let h = 2166136261;
  for (const byte of encode(key)) h = Math.imul(h ^ byte, 16777619);
  return h >>> 0;
}

/** The second stage of the hash. */
export function fmix32(h) {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The hash of a key, 0 to 2**32 - 1. */
export const hash32 = (key) => fmix32(fnv1a32(key));

/** The slot of a key in a group of size slots, from 0. */
export function slot(key, size) {
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE) throw new RangeError(`size ${size} is not 1 to ${MAX_SIZE}`);
  return hash32(key) % size;
}

/** Whether the member that holds slot index owns the key. */
export function owns(key, size, index) {
  if (!Number.isInteger(index) || index < 0 || index >= size) throw new RangeError(`index ${index} is not below size ${size}`);
  return slot(key, size) === index;
}

/** The holders of slots 0 to slots - 1, if members share them: balanced, and stable when members change. */
export function deal(slots, members) {
  if (!Number.isInteger(slots) || !Number.isInteger(members) || members < 1 || members > slots || slots > MAX_SIZE)
    throw new RangeError(`${members} members cannot share ${slots} slots`);
  const hands = [Array.from({ length: slots }, (_, s) => s)];
  while (hands.length < members) {
    const taken = [];
    for (let n = Math.floor(slots / (hands.length + 1)); n > 0; n--) {
      const giver = hands.reduce((most, hand) => (hand.length >= most.length ? hand : most));
      taken.push(giver.pop());
    }
    hands.push(taken.sort((a, b) => a - b));
  }
  const holders = new Array(slots);
  hands.forEach((hand, member) => hand.forEach((s) => (holders[s] = member)));
  return holders;
}
