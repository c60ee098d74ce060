/** A method gave no credentials. The message says why and holds no secret. */
export class AuthFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AuthFailure';
  }
}

const CARRIED = /^[\x20-\x7e]+$/;
const LONGEST = 16 * 1024;

/** A token as a header can carry it. Throws AuthFailure. */
export function checkedToken(token: string, source: string): string {
  if (token === '') throw new AuthFailure(`${source} gave no token`);
  if (token.length > LONGEST) throw new AuthFailure(`${source} gave a token of more than ${LONGEST} characters`);
  if (!CARRIED.test(token)) throw new AuthFailure(`${source} gave a token with characters that a header cannot carry`);
  return token;
}
