import { asMessage, objectsIn, type RawMessage } from '../../../src/wire/messages.ts';
import type { ClientMutant } from '../client-mutant.ts';
import { answers } from '../client-mutant.ts';
import { answersTo, changesResult, mistakes } from './host-defects.ts';

type Fault = NonNullable<ClientMutant['defect']>;

const ask = 'session/request_permission';
const cancelled = { outcome: { outcome: 'cancelled' } };

/** What a client receives whose answers of null count as failures. */
function failingOnNull({ result, ...message }: RawMessage): RawMessage {
  return result === null
    ? { ...message, error: { code: -32_603, message: 'the answer has no result' } }
    : { ...message, ...(result !== undefined && { result }) };
}

const takesNullForFailure: Fault = () => ({ hears: (message) => [failingOnNull(message)] });

/** Answers permission requests with this outcome once its turn was cancelled. */
function afterCancel(outcome: RawMessage, isLate: boolean): Fault {
  return ({ toKit }) => {
    let isCancelled = false;
    return {
      says: (message) => {
        isCancelled ||= message['method'] === 'session/cancel';
        return [message];
      },
      hears: (message) => {
        const isMeant = message['method'] === ask && isCancelled && isLate;
        if (isMeant) toKit(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result: outcome }));
        return isMeant ? [] : [message];
      },
    };
  };
}

/** Replaces every character that has more than one byte, as a decoder of single pieces does. */
function breaking(field: string): (result: RawMessage) => RawMessage {
  return (result) => ({ ...result, [field]: String(result[field]).replace(/[^ -~\n]/u, '\u{fffd}\u{fffd}') });
}

/** Clients whose faults show in what they keep, decode or mix. */
export const lastingMutants: readonly ClientMutant[] = [
  ...([undefined, 2] as const).map((version): ClientMutant => ({
    name: `answers a rejected permission request with cancelled: version ${String(version ?? 1)}`,
    scenario: 'permission/refused',
    breaks: version === 2 ? 'V163' : 'R416',
    ...(version && { version }),
    defect: answersTo(ask, (answer) => [{ ...answer, result: cancelled }]),
  })),
  ...['sessions/null-load', 'sessions/null-close', 'settings/null-mode'].map((scenario): ClientMutant => ({
    name: `takes a result of null for a failure: ${scenario}`,
    scenario,
    breaks: 'R418',
    defect: takesNullForFailure,
  })),
  {
    name: 'takes a result of null for a failure in version 2',
    scenario: 'sessions/null-close',
    breaks: 'V164',
    version: 2,
    defect: takesNullForFailure,
  },
  {
    name: 'decodes the output of commands in pieces',
    scenario: 'terminals/characters',
    breaks: 'R417',
    isSlow: true,
    defect: changesResult('terminal/output', breaking('output')),
  },
  {
    name: 'decodes files in pieces',
    scenario: 'files/characters',
    breaks: 'R417',
    defect: changesResult('fs/read_text_file', breaking('content')),
  },
  {
    name: 'runs commands in relative folders',
    scenario: 'terminals/relative-folder',
    breaks: 'R370',
    isSlow: true,
    defect: mistakes('terminal/create', ({ cwd: _, ...params }) => params),
  },
  {
    name: 'allows a request that arrives after its turn was cancelled',
    scenario: 'cancel/permissions',
    breaks: 'R199',
    isSlow: true,
    defect: afterCancel({ outcome: { outcome: 'selected', optionId: 'yes' } }, true),
  },
  {
    name: 'allows a request that its agent has cancelled',
    scenario: 'cancel/taken-back',
    breaks: 'R197',
    defect: answers((message) =>
      message['error'] !== undefined || asMessage(asMessage(message['result'])?.['outcome']) !== undefined
        ? { jsonrpc: '2.0', id: message['id'], result: { outcome: { outcome: 'selected', optionId: 'yes' } } }
        : message,
    ),
  },
  ...['agent_thought_chunk', 'tool_call_update'].map((kind): ClientMutant => ({
    name: `shows updates of other sessions: ${kind}`,
    scenario: 'updates/another-session',
    breaks: 'R399',
    defect: () => ({
      hears: (message, text) =>
        text.includes(kind) && text.includes('another-one')
          ? [
              {
                ...message,
                params: {
                  sessionId: 'session-1',
                  update: {
                    sessionUpdate: 'agent_message_chunk',
                    content: { type: 'text', text: 'Words that belong elsewhere.' },
                  },
                },
              },
            ]
          : [message],
    }),
  })),
  {
    name: 'shows messages of another session in the one that it restores',
    scenario: 'misbehaving/replay-other-session',
    breaks: 'R399',
    defect: () => {
      let id = '';
      return {
        says: (message) => {
          if (message['method'] === 'session/load') id = String(asMessage(message['params'])?.['sessionId']);
          return [message];
        },
        hears: (_message, text) => [text.replace('another-session', id)],
      };
    },
  },
];

/** Conforming clients that are unusual, and the scenarios in which that could be mistaken for a fault. */
export const lastingOddities: readonly Pick<ClientMutant, 'name' | 'scenario' | 'defect' | 'isSlow'>[] = [
  {
    name: 'rejects for ever what the user rejects',
    scenario: 'permission/refused',
    defect: answersTo(ask, (answer, { options }) => {
      const forever = objectsIn(options).find(({ kind }) => kind === 'reject_always');
      return [
        forever === undefined
          ? answer
          : { ...answer, result: { outcome: { outcome: 'selected', optionId: forever['optionId'] } } },
      ];
    }),
  },
  {
    name: 'answers no request that arrives after a cancel',
    scenario: 'cancel/permissions',
    isSlow: true,
    defect: afterCancel(cancelled, false),
  },
  {
    name: 'answers late requests with cancelled',
    scenario: 'cancel/permissions',
    isSlow: true,
    defect: afterCancel(cancelled, true),
  },
  {
    name: 'refuses relative folders with another code',
    scenario: 'terminals/relative-folder',
    isSlow: true,
    defect: answersTo('terminal/create', (answer) => [
      answer['error'] === undefined ? answer : { ...answer, error: { code: -32_000, message: 'No.' } },
    ]),
  },
  {
    name: 'ends the output of commands with another line',
    scenario: 'terminals/characters',
    isSlow: true,
    defect: changesResult('terminal/output', (result) => ({
      ...result,
      output: `${String(result['output'])}\n[done]`,
    })),
  },
  {
    name: 'treats null like an empty object',
    scenario: 'sessions/null-load',
    defect: () => ({ hears: (message) => [message['result'] === null ? { ...message, result: {} } : message] }),
  },
  {
    name: 'drops updates of sessions that it did not open',
    scenario: 'updates/another-session',
    defect: () => ({ hears: (message, text) => (/another-one|-of-somebody-else/.test(text) ? [] : [message]) }),
  },
];
