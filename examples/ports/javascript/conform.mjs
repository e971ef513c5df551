// Speaks the protocol of docs/conformance.md for slotkey.mjs.

import { createInterface } from "node:readline";
import { routingKeyOfJSON } from "./peek.mjs";
import { deal, fmix32, fnv1a32, owns, routingKey, slot } from "./slotkey.mjs";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }); // ignoreBOM keeps it

/** A string where the bytes are UTF-8, as in a service; else the bytes; undefined where the field is absent. */
function key(field) {
  if (field === "-") return undefined;
  const bytes = Buffer.from(field, "hex");
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes;
  }
}

const show = (k) => (k === undefined ? "-" : Buffer.from(k).toString("hex"));
const hex32 = (n) => n.toString(16).padStart(8, "0");
const hashes = (k) => {
  const state = fnv1a32(k);
  return `${hex32(state)}\t${hex32(fmix32(state))}`;
};

const operations = {
  hash: (k) => hashes(key(k)),
  slot(k, size) {
    k = key(k);
    return `${hashes(k)}\t${slot(k, Number(size))}`;
  },
  owns: (k, size, index) => `${owns(key(k), Number(size), Number(index))}`,
  key: (subject, id) => show(routingKey(key(subject), key(id))),
  json: (body) => show(routingKeyOfJSON(Buffer.from(body, "hex"))),
  deal: (slots, members) => deal(Number(slots), Number(members)).join(","),
};

process.stdout.write(`slotkey-port/1\tJavaScript\tNode ${process.versions.node}\tnul bytes deal json\n`);
let answers = "";
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const [number, operation, ...fields] = line.split("\t");
  try {
    answers += `${number}\t${operations[operation](...fields)}\n`;
  } catch (error) {
    answers += `${number}\terror\t${error.message}\n`;
  }
  if (answers.length > 1 << 16) {
    process.stdout.write(answers);
    answers = "";
  }
}
process.stdout.write(answers);
