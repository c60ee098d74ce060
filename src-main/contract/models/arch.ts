/** Processor architectures by their canonical names and the names other systems use for them (wire-format.md 4.1). */

const CANONICAL = new Set([
  'rpi4',
  'amd64',
  '386',
  'arm',
  'arm64',
  'ppc64',
  'ppc64le',
  'mips64',
  'mips64le',
  's390x',
  'mips',
  'mipsle',
]);

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['x86_64', 'amd64'],
  ['x86-64', 'amd64'],
  ['x64', 'amd64'],
  ['i386', '386'],
  ['i486', '386'],
  ['i586', '386'],
  ['i686', '386'],
  ['x86', '386'],
  ['ia32', '386'],
  ['aarch64', 'arm64'],
  ['armv8', 'arm64'],
  ['armv7', 'arm'],
  ['armv7l', 'arm'],
  ['armv6l', 'arm'],
  ['armhf', 'arm'],
  ['power9', 'ppc64le'],
  ['ppc64el', 'ppc64le'],
  ['mips64el', 'mips64le'],
  ['mipsel', 'mipsle'],
]);

/** Sentence about an architecture that cannot be used under this name; undefined when it can. */
export function archFault(given: string): string | undefined {
  if (CANONICAL.has(given)) return undefined;
  const canonical =
    ALIASES.get(given.toLowerCase()) ?? (CANONICAL.has(given.toLowerCase()) ? given.toLowerCase() : undefined);
  return canonical === undefined ? `Unsupported arch ${given}` : `Please use ${canonical} for Arch instead of ${given}`;
}
