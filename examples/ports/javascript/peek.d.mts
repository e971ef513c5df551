/** The key of an event in structured JSON as bytes, or undefined where it has none or the body cannot be read. */
export function routingKeyOfJSON(body: Uint8Array): Uint8Array | undefined;
