/** The window trusts exactly one certificate: the one our own listener presents. No authority is asked, none can overrule. */

/** Electron's verification results: trusted, and refused whatever Chromium itself thinks of the certificate. */
export const TRUSTED = 0;
export const REFUSED = -2;

export interface Pin {
  /** Host name of our listener as it stands in its URL. */
  readonly hostname: string;
  /** Base64 of the SHA-256 over the certificate's DER bytes. */
  readonly fingerprint: string;
}

export interface PresentedCertificate {
  readonly hostname: string;
  /** `sha256/` and base64, as Chromium writes it. */
  readonly certificate: { readonly fingerprint: string };
}

/** Decides one TLS handshake. Other hosts are refused too: the window has no business with them. */
export function verifyPinned(presented: PresentedCertificate, pin: Pin): typeof TRUSTED | typeof REFUSED {
  const same = presented.hostname === pin.hostname && presented.certificate.fingerprint === `sha256/${pin.fingerprint}`;
  return same ? TRUSTED : REFUSED;
}
