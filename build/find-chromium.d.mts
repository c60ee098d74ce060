export function findChromium(): string | undefined;
export function getChromium(say: (line: string) => void): string;
