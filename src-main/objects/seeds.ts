/** What a new data directory starts with: the default administrator, the global profile, the two system secrets. */
import { randomText } from '../kit/ids.ts';
import type { Committer } from './committer.ts';

export const DEFAULT_USER = 'rocketskates';
export const DEFAULT_PASSWORD = 'r0cketsk8ts';

interface Seeds {
  readonly passwordHash: () => Promise<string>;
  readonly newSecret: () => string;
  /** Plugin instances that exist by themselves once their provider is there. */
  readonly autoStart: readonly { readonly name: string; readonly provider: string; readonly description: string }[];
}

/** Writes what is missing; what is there stays as it is. A directory that ever had users gets no default one again. */
export async function plantSeeds(committer: Committer, isNew: boolean, seeds: Seeds): Promise<void> {
  const hash = isNew ? await seeds.passwordHash() : '';
  await committer.internal('system', (unit) => {
    const preference = (name: string, value: string): void => {
      // One in a content pack is not in force, so the view's own reading decides.
      if (unit.preference(name) === undefined) unit.put('preferences', name, { Name: name, Val: value, Meta: {} });
    };
    preference('baseTokenSecret', randomText(32));
    preference('systemGrantorSecret', randomText(32));
    if (!unit.get('profiles', 'global')) {
      unit.put('profiles', 'global', {
        Name: 'global',
        Description: 'Global profile attached automatically to all machines.',
        Meta: { color: 'blue', icon: 'world', title: 'Digital Rebar Provision' },
        Params: {},
      });
    }
    if (isNew && !unit.get('users', DEFAULT_USER)) {
      unit.put('users', DEFAULT_USER, {
        Name: DEFAULT_USER,
        Description: 'Default administrator',
        PasswordHash: hash,
        Secret: seeds.newSecret(),
        Roles: ['superuser'],
      });
    }
    for (const { name, provider, description } of seeds.autoStart) {
      if (!unit.get('plugins', name))
        unit.put('plugins', name, { Name: name, Provider: provider, Description: description, Params: {} });
    }
  });
}
