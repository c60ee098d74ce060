export const root: string;
export const headlessEntry: string;
export class EnsureError extends Error {}
export function ensureInstalled(say: (line: string) => void): Promise<void>;
export function ensureBuilt(say: (line: string) => void): Promise<void>;
export function isInstalled(): boolean;
export function isBuilt(): boolean;
export function nodeBinary(): string;
