export function findElectron(): string | undefined;
export function hasDisplay(): boolean;
