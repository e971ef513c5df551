/** A key: a string counts as its UTF-8, a Uint8Array as its bytes. */
export type Key = string | Uint8Array;

export const MAX_SIZE: 1024;

/** The key of an event, or undefined where it has none. An attribute that is undefined, null or empty is absent. */
export function routingKey<K extends Key>(subject: K | null | undefined, id: K | null | undefined): K | undefined;

/** The first stage of the hash: 0 to 2**32 - 1. */
export function fnv1a32(key: Key): number;

/** The second stage of the hash: 0 to 2**32 - 1. */
export function fmix32(h: number): number;

/** The hash of a key, 0 to 2**32 - 1. */
export function hash32(key: Key): number;

/** The slot of a key in a group of size slots, from 0. Throws a RangeError unless size is 1 to 1024. */
export function slot(key: Key, size: number): number;

/** Whether the member that holds slot index owns the key. Throws a RangeError unless 0 <= index < size <= 1024. */
export function owns(key: Key, size: number, index: number): boolean;

/** The holders of slots 0 to slots - 1. Throws a RangeError unless 1 <= members <= slots <= 1024. */
export function deal(slots: number, members: number): number[];
