/** How good a new password is, in words. Length counts most; no rule about kinds of characters. Pure. */

const MIN_PASSWORD_LENGTH = 8;

type PasswordFault = 'too-short' | 'differs' | 'unchanged' | undefined;

/** What is wrong with the pair of fields; `old` is refused as the new one. */
export function passwordFault(password: string, repeated: string, old?: string): PasswordFault {
  if (password.length < MIN_PASSWORD_LENGTH) return 'too-short';
  if (old !== undefined && password === old) return 'unchanged';
  return password === repeated ? undefined : 'differs';
}

export const FAULT_TEXT: { readonly [F in Exclude<PasswordFault, undefined>]: string } = {
  'too-short': `Use at least ${MIN_PASSWORD_LENGTH} characters.`,
  differs: 'The two fields differ.',
  unchanged: 'This is the password you have now.',
};

/** A sentence on strength, from the number of distinct characters and the length. Empty for an empty password. */
export function strengthText(password: string): string {
  if (password === '') return '';
  if (password.length < MIN_PASSWORD_LENGTH)
    return `Too short: ${password.length} of ${MIN_PASSWORD_LENGTH} characters`;
  const distinct = new Set(password).size;
  if (distinct < 5) return 'Weak: few different characters';
  if (password.length < 12) return 'Fair: longer is better';
  if (password.length < 16) return 'Good';
  return 'Strong';
}
