// Compiled, never run: what a TypeScript service writes, and what its compiler must refuse.

import { routingKeyOfJSON } from "./peek.mjs";
import { deal, owns, routingKey, slot } from "./slotkey.mjs";

type CloudEvent = { id: string; subject?: string | null };

export function isOurs(event: CloudEvent): boolean {
  const key: string | undefined = routingKey(event.subject, event.id);
  return key !== undefined && owns(key, 3, 1);
}

export const ofBytes: number = slot(new Uint8Array([0xff]), 3);
export const keyOf: Uint8Array | undefined = routingKeyOfJSON(new Uint8Array(0));
export const holders: number[] = deal(360, 12);

// @ts-expect-error an attribute that may be missing is no key
export const unchecked = (event: CloudEvent) => slot(event.subject, 3);

// @ts-expect-error a number is no key: its text is
export const ofNumber = slot(7, 3);
