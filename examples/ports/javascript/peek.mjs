/**
 * The routing key of an event in structured JSON, read from its bytes: sections 9.2 to 9.6 of the slotkey rule.
 *
 * Members must agree on every body, also on one that JSON.parse refuses. So this reader judges the syntax of the object
 * itself and of what makes the key, and skips everything else without judgement: it keeps bytes that are no UTF-8, and
 * does not recurse.
 */

const code = (character) => character.charCodeAt(0);
const isSpace = (c) => c === 0x20 || c === 0x09 || c === 0x0a || c === 0x0d;
const isScalar = (c) => c !== undefined && /[0-9A-Za-z+.-]/.test(String.fromCharCode(c));
const escapes = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** The key as a Uint8Array, or undefined where the event has none or the body, a Uint8Array, cannot be read. */
export function routingKeyOfJSON(body) {
  try {
    const { subject, id } = new Reader(body).attributes();
    return [subject, id].find((attribute) => attribute?.length > 0);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

class Reader {
  constructor(body) {
    this.body = body;
    this.pos = 0;
  }

  /** Subject and id as bytes, where they are there and not null. */
  attributes() {
    const found = {};
    this.space();
    this.expect("{");
    this.space();
    if (!this.at("}")) {
      this.member(found);
      while (this.at(",")) {
        this.pos++;
        this.space();
        this.member(found);
      }
    }
    this.expect("}");
    this.space();
    if (this.pos < this.body.length) throw new Unreadable();
    return found;
  }

  member(found) {
    if (!this.at('"')) throw new Unreadable();
    const name = unescape(this.string());
    this.space();
    this.expect(":");
    this.space();
    const value = this.value();
    const text = name && String.fromCharCode(...name.subarray(0, 8)); // long enough for the names that count
    if (text === "subject" || text === "id") found[text] = attribute(value); // the last one counts, and each one must be right
    this.space();
  }

  /** Skips a value and returns its bytes. */
  value() {
    const start = this.pos;
    if (this.at('"')) this.string();
    else if (this.at("{") || this.at("[")) this.container();
    else while (isScalar(this.body[this.pos])) this.pos++;
    if (this.pos === start) throw new Unreadable();
    return this.body.subarray(start, this.pos);
  }

  /** Skips a string and returns its inside. */
  string() {
    const start = ++this.pos;
    for (; this.pos < this.body.length; this.pos++) {
      if (this.at("\\")) this.pos++;
      else if (this.at('"')) return this.body.subarray(start, this.pos++);
    }
    throw new Unreadable();
  }

  container() {
    for (let depth = 0; this.pos < this.body.length; ) {
      if (this.at('"')) {
        this.string();
        continue;
      }
      if (this.at("{") || this.at("[")) depth++;
      else if (this.at("}") || this.at("]")) depth--;
      this.pos++;
      if (depth === 0) return;
    }
    throw new Unreadable();
  }

  space() {
    while (isSpace(this.body[this.pos])) this.pos++;
  }

  at(character) {
    return this.body[this.pos] === code(character);
  }

  expect(character) {
    if (!this.at(character)) throw new Unreadable();
    this.pos++;
  }
}

function attribute(value) {
  if (isNull(value)) return undefined;
  const text = value[0] === code('"') ? unescape(value.subarray(1, -1)) : undefined;
  if (text === undefined) throw new Unreadable();
  return text;
}

const isNull = (value) => value.length === 4 && String.fromCharCode(...value) === "null";

/** What the inside of a string stands for, as bytes; undefined where JSON does not allow it. */
function unescape(raw) {
  if (!raw.some((c) => c === code("\\") || c < 0x20)) return raw;
  const text = [];
  for (let i = 0; i < raw.length; ) {
    if (raw[i] < 0x20) return undefined;
    if (raw[i] !== code("\\")) {
      text.push(raw[i++]);
      continue;
    }
    const escape = i + 1 < raw.length ? String.fromCharCode(raw[i + 1]) : "";
    if (escape !== "u") {
      if (!Object.hasOwn(escapes, escape)) return undefined;
      text.push(code(escapes[escape]));
      i += 2;
      continue;
    }
    let c = unit(raw, i);
    if (c === undefined) return undefined;
    i += 6;
    const low = c >= 0xd800 && c < 0xdc00 ? unit(raw, i) : undefined;
    if (low >= 0xdc00 && low <= 0xdfff) {
      c = 0x10000 + ((c - 0xd800) << 10) + low - 0xdc00;
      i += 6;
    } else if (c >= 0xd800 && c <= 0xdfff) {
      c = 0xfffd;
    }
    text.push(...new TextEncoder().encode(String.fromCodePoint(c)));
  }
  return Uint8Array.from(text);
}

/** The UTF-16 code unit that \uXXXX at i stands for, undefined where there is none. */
function unit(raw, i) {
  const text = String.fromCharCode(...raw.subarray(i, i + 6));
  return /^\\u[0-9a-fA-F]{4}$/.test(text) ? parseInt(text.slice(2), 16) : undefined;
}
