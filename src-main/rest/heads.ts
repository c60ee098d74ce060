/** `HEAD` follows the rules of `GET`: every row that reads gets its twin, which `respond.ts` sends without a body. */
import { matchRoute, routeTable } from '../contract/claims/index.ts';
import type { Route } from './http.ts';

/** The table of claims says where: not where a GET makes something (a token, a key), runs an action, or does not end. */
function hasHead({ path }: Route): boolean {
  const example = `/api/v3${path.replaceAll(/:[A-Za-z]+/g, 'x').replace('*', 'x')}`;
  return matchRoute(routeTable, 'HEAD', example).kind === 'row';
}

/** The rows with a HEAD beside each GET that may have one; a row of its own comes before a made one. */
export function withHeads(routes: readonly Route[]): readonly Route[] {
  const own = new Set(routes.filter(({ method }) => method === 'HEAD').map(({ path }) => path));
  return routes.flatMap((route): Route[] => {
    if (route.method !== 'GET' || own.has(route.path) || !hasHead(route)) return [route];
    const { answer, summary } = route;
    return [
      route,
      { ...route, method: 'HEAD', summary: `${summary}: headers only`, answer: { status: answer.status } },
    ];
  });
}
