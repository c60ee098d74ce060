/** Random identifiers. Web Crypto is there in Node and in browsers, so this stays free of node imports. */

/** Random version 4 UUID, lower case. */
export function newUuid(): string {
  return crypto.randomUUID();
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Random text of `length` characters, six bits each: 16 characters are 96 bits. */
export function randomText(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  let text = '';
  for (const byte of bytes) text += ALPHABET[byte & 63];
  return text;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
