/** `GET /logs`: the last log lines, oldest first (wire-format.md 12.4). New ones are events `log.<level>.<service>`. */
import Type from 'typebox';
import { LogLine } from '../../contract/models/index.ts';
import { type LogLines, type Objects, showsLine } from '../../objects/index.ts';
import { ok, type Route } from '../http.ts';

export function logRoutes(objects: Objects, logLines: LogLines): Route[] {
  return [
    {
      method: 'GET',
      path: '/logs',
      tag: 'logs',
      summary: 'The last log lines, oldest first',
      answer: { status: 200, schema: Type.Array(LogLine) },
      handler(context) {
        objects.guard.demand(context.call, [{ scope: 'logs', action: 'get', specific: '' }]);
        return ok(logLines.lines().filter((line) => showsLine(context.call.actor, line)));
      },
    },
  ];
}
