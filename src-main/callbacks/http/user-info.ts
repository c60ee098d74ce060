/** Credentials in an address (`https://user:password@host/`) travel as a Basic header, never in the request line. */

/** As the percent-encoded text means it; text that is not properly encoded means itself. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Takes the credentials and the fragment out of the address. Answers the header for them, if there were any. */
export function takeUserInfo(address: URL): { readonly url: URL; readonly authorization: string | undefined } {
  const { username, password } = address;
  if (username === '' && password === '' && address.hash === '') return { url: address, authorization: undefined };
  const url = new URL(address);
  url.hash = '';
  url.username = '';
  url.password = '';
  if (username === '' && password === '') return { url, authorization: undefined };
  const pair = `${percentDecoded(username)}:${percentDecoded(password)}`;
  return { url, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
