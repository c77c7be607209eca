import { join } from 'node:path';
import { asMessage, at, type RawMessage } from '../../../src/wire/messages.ts';
import { answering, erring, paramsOf, resultLine } from '../agent/protocol/said.ts';
import { receives, refuses, replays, results, states, updates, withUpdate, type Version2Mutant } from './tampered.ts';

export const sessionsMutants: readonly Version2Mutant[] = [
  {
    name: 'answers session/close before the work has ended',
    scenario: 'close/order',
    breaks: 'V065',
    defect: ({ toKit }) => ({
      hears: (message) => {
        if (message['method'] !== 'session/close') return [message];
        toKit(resultLine(message, {}));
        return [{ ...message, id: 'closing' }];
      },
      says: (message) => (message['id'] === 'closing' ? [] : [message]),
    }),
  },
  {
    name: 'keeps deleted sessions',
    scenario: 'delete/gone',
    breaks: 'V066',
    defect: answering((message) => (message['method'] === 'session/delete' ? resultLine(message, {}) : undefined)),
  },
  {
    name: 'forgets the conversation of a resumed session',
    scenario: 'resume/context',
    breaks: 'V070',
    defect: () => {
      let isResumed = false;
      return {
        hears: (message) => {
          isResumed ||= message['method'] === 'session/resume';
          return [message];
        },
        says: (message) => {
          const update = asMessage(paramsOf(message)['update']);
          const isWord = isResumed && update?.['sessionUpdate'] === 'agent_message_chunk';
          return [isWord ? withUpdate(message, { ...update, content: { type: 'text', text: 'What?' } }) : message];
        },
      };
    },
  },
  {
    name: 'takes an unknown replayFrom for start',
    scenario: 'resume/cursor',
    breaks: 'V071',
    defect: receives('session/resume', (params) => ({ ...params, replayFrom: { type: 'start' } })),
  },
  {
    name: 'invents new ids in a replay',
    scenario: 'resume/ids',
    breaks: 'V072',
    defect: replays((message, update) => [
      withUpdate(message, {
        ...update,
        ...('messageId' in update && { messageId: `${String(update['messageId'])}!` }),
      }),
    ]),
  },
  {
    name: 'does not mark the end of a replay',
    scenario: 'resume/ids',
    breaks: 'V073',
    defect: updates('replay_complete', () => undefined),
  },
  {
    name: 'resumes without a state',
    scenario: 'resume/ids',
    breaks: 'V074',
    defect: replays((message, { sessionUpdate }) => (sessionUpdate === 'state_update' ? [] : [message])),
  },
  {
    name: 'sends the state before the end of the replay',
    scenario: 'resume/ids',
    breaks: 'V075',
    defect: (tampering) => {
      let mark: RawMessage | undefined;
      return replays((message, { sessionUpdate }) => {
        if (sessionUpdate === 'replay_complete') mark = message;
        if (sessionUpdate === 'state_update' && mark) return [message, mark];
        return sessionUpdate === 'replay_complete' ? [] : [message];
      })(tampering);
    },
  },
  {
    name: 'does not resume active sessions',
    scenario: 'resume/active',
    breaks: 'V076',
    defect: refuses('session/resume', -32_602),
  },
  {
    name: 'does not say that a session is unknown',
    scenario: 'sessions/unknown',
    breaks: 'V077',
    defect: erring((error) => ({ ...error, code: -32_602 })),
  },
  {
    name: 'replays messages as chunks',
    scenario: 'resume/ids',
    breaks: 'V100',
    defect: replays((message, update) => [
      update['sessionUpdate'] === 'agent_message'
        ? withUpdate(message, { ...update, sessionUpdate: 'agent_message_chunk', content: at(update, 'content', 0) })
        : message,
    ]),
  },
  {
    name: 'announces a child session after its first update',
    scenario: 'children/operations',
    breaks: 'V090',
    defect: () => {
      let held: RawMessage | undefined;
      return {
        says: (message) => {
          const { sessionUpdate, state } = asMessage(paramsOf(message)['update']) ?? {};
          if (sessionUpdate === 'subagent_update' && held === undefined) {
            held = message;
            return [];
          }
          const isChild =
            held !== undefined && state === 'running' && paramsOf(message)['sessionId'] !== paramsOf(held)['sessionId'];
          return isChild && held ? [message, held] : [message];
        },
      };
    },
  },
  {
    name: 'takes prompts for child sessions',
    scenario: 'children/operations',
    breaks: 'V091',
    defect: () => {
      const children = new Set<unknown>();
      const prompted = new Set<unknown>();
      return {
        hears: (message) => {
          if (message['method'] === 'session/close' && children.has(paramsOf(message)['sessionId']))
            prompted.add(message['id']);
          return [message];
        },
        says: (message) => {
          const update = asMessage(paramsOf(message)['update']);
          if (update?.['sessionUpdate'] === 'subagent_update') children.add(update['sessionId']);
          return [prompted.has(message['id']) ? resultLine(message, {}) : message];
        },
      };
    },
  },
  {
    name: 'does not report the end of a child session to its parent',
    scenario: 'children/operations',
    breaks: 'V092',
    defect: updates('subagent_update', (update) => (at(update, 'state', 'state') === 'idle' ? undefined : update)),
  },
  {
    name: 'does not name the other session of a message',
    scenario: 'children/operations',
    breaks: 'V093',
    defect: updates('session_message', ({ senderSessionId: _, recipientSessionId: __, ...update }) => update),
  },
  {
    name: 'lists an unknown child session in the background',
    scenario: 'children/operations',
    breaks: 'V094',
    defect: states('idle', (update) => ({ ...update, background: [{ type: 'subagent', sessionId: 'none' }] })),
  },
  {
    name: 'lists the sessions of all folders',
    scenario: 'list/filter',
    breaks: 'V101',
    defect: receives('session/list', ({ cwd: _, ...params }) => params),
  },
  {
    name: 'answers without its options',
    scenario: 'config-options/set',
    breaks: 'V102',
    defect: results('session/set_config_option', () => ({ configOptions: [] })),
  },
  {
    name: 'gives every session the id of the first',
    scenario: 'new-session/apart',
    breaks: 'V119',
    defect: (tampering) => {
      let first: unknown;
      return results('session/new', (result) => ({ ...result, sessionId: (first ??= result['sessionId']) }))(tampering);
    },
  },
  {
    name: 'works where it was started',
    scenario: 'new-session/cwd',
    breaks: 'V120',
    defect: receives('session/new', (params) => ({
      ...params,
      cwd: join(String(params['cwd']), '..', 'started-here'),
    })),
  },
  {
    name: 'ignores malformed folders',
    scenario: 'roots/invalid',
    breaks: 'V121',
    defect: receives('session/new', ({ additionalDirectories: _, ...params }) => params),
  },
  {
    name: 'does not recognise a command before a link',
    scenario: 'commands/link',
    breaks: 'V125',
    defect: receives('session/prompt', (params) => {
      const [text, link] = (params['prompt'] ?? []) as readonly RawMessage[];
      return link === undefined ? params : { ...params, prompt: [{ ...text, text: 'help' }, link] };
    }),
  },
];
