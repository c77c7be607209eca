import { clientScenarios } from '../../../src/client/scenarios/scenarios.ts';
import { asMessage } from '../../../src/wire/messages.ts';
import { type ClientMutant, crashesAfter } from '../client-mutant.ts';

/** Scenarios that need bytes, and therefore a process. */
const inBytes = ['split-letters', 'noise-flood', 'line-not-utf8', 'line-nul-bytes', 'line-flood'].map(
  (id) => `misbehaving/${id}`,
);

/** The method after which the agent first misbehaves, if not in a turn. */
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

/** Clients that cannot handle a misbehaving agent: each crashes on one kind of misbehaviour, or does not exit. */
export const misbehavingMutants: readonly ClientMutant[] = clientScenarios
  .filter(({ id }) => id.startsWith('misbehaving/') || id.startsWith('updates/'))
  // The end of a client in a terminal is not observed.
  .filter(({ id }) => id !== 'misbehaving/escape-sequences-at-terminal')
  .map(({ id, title }): ClientMutant => {
    const about = { name: `does not survive: ${title}`, scenario: id, breaks: 'R336' } as const;
    if (title.endsWith('does not keep the user from exiting')) return { ...about, ends: 'never' };
    if (id.startsWith('misbehaving/replay-')) return { ...about, defect: crashesAfter('session/load') };
    return {
      ...about,
      ...(inBytes.includes(id) && { needs: 'process' as const }),
      defect: crashesAfter(beginnings[id] ?? 'session/prompt'),
    };
  });

/** Clients that lose messages of conforming agents. */
export const losingMutants: readonly ClientMutant[] = [
  {
    name: 'processes answers before earlier updates and loses those',
    scenario: 'updates/before-the-answer',
    breaks: 'R369',
    defect: () => {
      let known = 0;
      // The updates that it has not processed when the answer arrives.
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
