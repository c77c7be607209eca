import { clientScenarios } from '../../../src/client/scenarios/scenarios.ts';
import { asMessage } from '../../../src/wire/messages.ts';
import { type ClientMutant, crashesAfter } from '../client-mutant.ts';

/** What needs bytes, and so a process. */
const inBytes = ['split-letters', 'noise-flood', 'line-not-utf8', 'line-nul-bytes', 'line-flood'].map(
  (id) => `misbehaving/${id}`,
);

/** When an agent first does what it must not, if not in a turn. */
const beginnings: Readonly<Record<string, string>> = {
  'misbehaving/noise-flood': 'initialize',
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

/** Clients that lose something of what conforming agents send. */
export const losingMutants: readonly ClientMutant[] = [
  {
    name: 'has its answers overtake updates, which nobody shows then',
    scenario: 'updates/before-the-answer',
    breaks: 'R369',
    defect: () => {
      let known = 0;
      // What it has not handled yet when the answer comes.
      return {
        hears: (message, text) => (message['method'] === 'session/update' && ++known > 190 ? [] : [text]),
      };
    },
  },
  {
    name: 'swaps updates',
    scenario: 'updates/before-the-answer',
    breaks: 'R369',
    defect: () => ({
      hears: (_message, text) => [text.replace(/<(7|8)>/, (_, digit) => (digit === '7' ? '<8>' : '<7>'))],
    }),
  },
  {
    name: 'drops updates of sessions that it does not know yet',
    scenario: 'updates/before-the-session',
    breaks: 'R337',
    defect: () => {
      let hasSession = false;
      return {
        hears: (message) => {
          hasSession ||= asMessage(message['result'])?.['sessionId'] !== undefined;
          return message['method'] === 'session/update' && !hasSession ? [] : [message];
        },
      };
    },
  },
  {
    name: 'shows nothing after a line of more than 32 MiB',
    scenario: 'misbehaving/line-of-40-megabytes',
    breaks: 'R337',
    defect: () => {
      let isOver = false;
      return {
        hears: (message, text) => {
          isOver ||= text.length > 32 * 1024 * 1024;
          return isOver && message['method'] === 'session/update' ? [] : [message];
        },
      };
    },
  },
];
