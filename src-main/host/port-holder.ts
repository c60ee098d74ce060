/** Who listens on a port: only to name the holder in a start error. Linux tells through /proc; elsewhere it stays unknown. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

const LISTEN = '0A';

function listeningInodes(port: number): Set<string> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    let text: string;
    try {
      text = readFileSync(table, 'utf8');
    } catch {
      continue;
    }
    for (const line of text.split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[1]?.endsWith(`:${hex}`) && fields[3] === LISTEN && fields[9]) inodes.add(`socket:[${fields[9]}]`);
    }
  }
  return inodes;
}

/** `process 1234 (nginx)`, or undefined when it cannot be known. */
export function portHolder(port: number): string | undefined {
  const inodes = listeningInodes(port);
  if (inodes.size === 0) return undefined;
  try {
    // The program, not its `comm`: Node calls every main thread by the same name.
    for (const pid of readdirSync('/proc')) {
      if (!/^[0-9]+$/.test(pid)) continue;
      try {
        for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
          if (!inodes.has(readlinkSync(`/proc/${pid}/fd/${descriptor}`))) continue;
          return `process ${pid} (${basename(readlinkSync(`/proc/${pid}/exe`))})`;
        }
      } catch {
        // Not ours to look at, or gone meanwhile.
      }
    }
  } catch {
    return undefined;
  }
  return undefined;
}
