/**
 * `npm run bench -- access`: decisions per second for a user with 10 roles of 20 claims, beside a bare nested Map
 * (the limit), @casl/ability, casbin and Cedar on the same policy and the same 10,000 requests; and what compiling the
 * policy costs beside Cedar's preparse of it. Answers are compared before anything is measured.
 */
import { compileGrants } from '../src-main/contract/claims/index.ts';
import { casbin, casl, cedarDecide, cedarPreparse, cedarText, type Decide, handCompiled } from './access/peers.ts';
import { allClaims, allowed, policy, requests } from './access/policy.ts';
import { type Bench, type Case, type Measured, median } from './frame.ts';

function ours(): Decide {
  const grants = compileGrants(policy);
  return (index) => {
    const request = requests[index];
    return request !== undefined && grants.allows(request.scope, request.action, request.specific);
  };
}

function compare(name: string, decide: Decide): void {
  const wrong = requests.findIndex((_request, index) => decide(index) !== allowed[index]);
  if (wrong >= 0) {
    throw new Error(`${name} answers ${!allowed[wrong]} to ${JSON.stringify(requests[wrong])}`);
  }
}

/** Decisions on the requests in turn; each round goes on where the last one stopped. */
function decisions(name: string, decide: Decide): Case {
  let at = 0;
  let granted = 0;
  return {
    name,
    run(operations) {
      for (let i = 0; i < operations; i++) {
        if (decide(at)) granted++;
        at = at + 1 === requests.length ? 0 : at + 1;
      }
      if (granted < 0) throw new Error('unreachable: keeps the answers in use');
    },
  };
}

/** Compiled from the texts, then every action of the policy decided once, so that no work is put off. */
function compileOnce(asked: readonly (readonly [string, string])[]): void {
  const grants = compileGrants(policy);
  for (const [scope, action] of asked) grants.allows(scope, action, '-');
}

export const bench: Bench = {
  name: 'access',
  async run(b) {
    const peers: [string, Decide, number][] = [
      ['casl', casl(), 12],
      ['casbin', await casbin(), 1000],
      ['cedar', cedarDecide(), 5000],
    ];
    const limit = handCompiled();
    const own = ours();
    for (const [name, decide] of [...peers, ['map', limit] as const, ['grants', own] as const]) compare(name, decide);
    b.note(`${allClaims.length} claims, ${requests.length} requests, ${allowed.filter(Boolean).length} allowed`);

    const fast = await b.measure([decisions('map', limit), decisions('grants', own)], { rounds: 21 });
    b.ratio('access.vs-map', found(fast, 'grants'), found(fast, 'map'), 0.8);

    const all = await b.measure([decisions('grants', own), ...peers.map(([name, decide]) => decisions(name, decide))], {
      rounds: 7,
    });
    for (const [name, , budget] of peers) b.ratio(`access.vs-${name}`, found(all, 'grants'), found(all, name), budget);

    const text = cedarText();
    const asked = allClaims.flatMap(({ scope, action }) =>
      scope.split(',').flatMap((one) => action.split(',').map((act) => [one, act] as const)),
    );
    const compiling = await b.measure([
      {
        name: 'compile',
        run(operations) {
          for (let i = 0; i < operations; i++) compileOnce(asked);
        },
      },
      {
        name: 'preparse',
        run(operations) {
          for (let i = 0; i < operations; i++) cedarPreparse(text);
        },
      },
    ]);
    const [compile, preparse] = [found(compiling, 'compile'), found(compiling, 'preparse')];
    const times = compile.rounds.map((rate, i) => (preparse.rounds[i] ?? preparse.perSecond) / rate);
    b.number('access.compile-vs-cedar', median(times), {
      better: 'lower',
      budget: 1.5,
      spread: Math.max(compile.spread, preparse.spread),
      against: `preparse (${(1000 / preparse.perSecond).toFixed(1)} ms)`,
    });
    b.note(`compile: ${(1000 / compile.perSecond).toFixed(2)} ms`);
  },
};

function found(measured: Map<string, Measured>, name: string): Measured {
  const one = measured.get(name);
  if (one === undefined) throw new Error(`no measurement named ${name}`);
  return one;
}
