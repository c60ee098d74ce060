/** `proviso access …`: containment of claims and roles, and why a request would be allowed. */
import type { Command } from 'commander';
import { accessContainsCommand } from './access-contains.ts';
import { accessExplainCommand } from './access-explain.ts';

export function accessCommand(program: Command): void {
  const access = program.command('access').description('Compares claims and explains decisions');
  accessContainsCommand(access);
  accessExplainCommand(access);
}
