/** `proviso access explain`: asks a running server, or reads a data directory whose server is stopped. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { API_PREFIX } from '../../contract/api-prefix.ts';
import type { Json, JsonObject } from '../../kit/json.ts';
import { explainOffline } from '../../offline.ts';
import { callApi } from '../api-client.ts';
import { dataOption } from '../data-option.ts';

interface Options {
  readonly user: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly data?: string;
  readonly endpoint?: string;
  readonly token?: string;
  readonly json?: boolean;
}

function readBody(file: string): Json {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Json;
  } catch (error) {
    throw new InvalidArgumentError(
      `--body ${file} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function sentenceOf(explanation: JsonObject): string {
  const lines = [
    explanation['Allowed'] === true ? 'Allowed' : `Denied (${String(explanation['Reason'])})`,
    `  ${String(explanation['Sentence'])}`,
  ];
  for (const need of (explanation['Claims'] ?? []) as readonly JsonObject[]) {
    const by = need['By'] as JsonObject | undefined;
    const granted = need['Granted'] === true;
    lines.push(
      `  ${granted ? '+' : '-'} ${String(need['scope'])} ${String(need['action'])} ${String(need['specific']) || '""'}${by ? ` (role ${String(by['role'] ?? 'none: the own-user claim')})` : ''}`,
    );
    const miss = need['NearestMiss'] as JsonObject | undefined;
    for (const lack of (miss?.['Lacks'] ?? []) as readonly JsonObject[])
      lines.push(`      nearest miss: role ${String(miss?.['role'])}: ${String(lack['Sentence'])}`);
  }
  return `${lines.join('\n')}\n`;
}

export function accessExplainCommand(access: Command): void {
  access
    .command('explain')
    .description('Why a request of a user would be allowed or denied')
    .requiredOption('--user <name>', 'user who asks')
    .requiredOption('--method <method>', 'HTTP method')
    .requiredOption('--path <path>', 'path, with or without /api/v3')
    .option('--body <file>', 'file with the JSON body')
    .addOption(dataOption('data directory of a stopped server'))
    .option('--endpoint <url>', 'running server; default RS_ENDPOINT')
    .option('--token <token>', 'token for it; default RS_TOKEN')
    .option('--json', 'prints the whole explanation as JSON')
    .action(async (options: Options) => {
      const asked = {
        user: options.user,
        method: options.method,
        path: options.path,
        ...(options.body ? { body: readBody(options.body) } : {}),
      };
      const endpoint = options.endpoint ?? process.env['RS_ENDPOINT'];
      if (options.data === undefined && endpoint === undefined)
        throw new InvalidArgumentError(
          'Say where to ask: --data DIR of a stopped server, or --endpoint URL of a running one.',
        );
      const explanation =
        options.data === undefined
          ? ((await callApi({
              endpoint: endpoint as string,
              token: options.token ?? process.env['RS_TOKEN'] ?? '',
              method: 'POST',
              path: `${API_PREFIX}/x/access/explain`,
              body: asked,
            })) as JsonObject)
          : await explainOffline(resolve(options.data), asked);
      process.stdout.write(options.json ? `${JSON.stringify(explanation)}\n` : sentenceOf(explanation));
      process.exitCode = explanation['Allowed'] === true ? 0 : 1;
    });
}
