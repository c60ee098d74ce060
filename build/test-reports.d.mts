export interface Counts {
  passed: number;
  failed: number;
  skipped: string[];
}
export function readVitest(report: unknown): Counts;
export function readPlaywright(report: unknown): Counts;
