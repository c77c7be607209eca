import { clientScenarios } from '../../../src/client/scenarios/scenarios.ts';
import { type ClientMutant, crashesAfter } from '../client-mutant.ts';

/** What needs bytes, and so a process. */
const inBytes = ['split-letters', 'line-not-utf8', 'line-nul-bytes', 'line-flood'].map((id) => `misbehaving/${id}`);

/** When an agent first does what it must not, if not in a turn. */
const beginnings: Readonly<Record<string, string>> = {
  'misbehaving/no-result': 'initialize',
  'misbehaving/empty-introduction': 'initialize',
  'misbehaving/initialize-refused': 'initialize',
  'misbehaving/session-refused': 'session/new',
  'misbehaving/no-session-id': 'session/new',
  'misbehaving/session-id-number': 'session/new',
  'misbehaving/odd-errors': 'session/new',
  'misbehaving/error-text': 'session/new',
  'misbehaving/odd-setup': 'session/new',
};

/** Clients that cannot stand agents that misbehave: each dies of one kind, or cannot be ended. */
export const misbehavingMutants: readonly ClientMutant[] = clientScenarios
  .filter(({ id }) => id.startsWith('misbehaving/') || id.startsWith('updates/'))
  // Nobody sees how a client at a terminal ends.
  .filter(({ id }) => id !== 'misbehaving/escape-sequences-at-terminal')
  .map(({ id, title }): ClientMutant => {
    const about = { name: `cannot stand ${title}`, scenario: id, breaks: 'R336' } as const;
    if (title.endsWith('does not keep a user from leaving')) return { ...about, ends: 'never' };
    if (id.startsWith('misbehaving/replay-')) return { ...about, defect: crashesAfter('session/load') };
    return {
      ...about,
      ...(inBytes.includes(id) && { needs: 'process' as const }),
      defect: crashesAfter(beginnings[id] ?? 'session/prompt'),
    };
  });
