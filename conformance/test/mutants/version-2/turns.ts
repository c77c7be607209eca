import { asMessage, at, type RawMessage } from '../../../src/wire/messages.ts';
import { errorLine, paramsOf } from '../agent/protocol/said.ts';
import { asks, choosing, takes } from '../agent/turns/tampered.ts';
import { answers, receives, refuses, results, states, updates, type Version2Mutant } from './tampered.ts';

export const turnsMutants: readonly Version2Mutant[] = [
  {
    name: 'never says that it runs',
    scenario: 'prompt/message',
    breaks: 'V041',
    defect: states('running', () => undefined),
  },
  {
    name: 'stays in requires_action',
    scenario: 'states/blocked',
    breaks: 'V042',
    defect: () => {
      let isBlocked = false;
      return {
        says: (message) => {
          const state = at(paramsOf(message), 'update', 'state');
          isBlocked ||= state === 'requires_action';
          return isBlocked && state === 'running' ? [] : [message];
        },
      };
    },
  },
  {
    name: 'lists background work that it never announced',
    scenario: 'children/operations',
    breaks: 'V046',
    defect: states('idle', (update) => ({ ...update, background: [{ type: 'terminal', terminalId: 'none' }] })),
  },
  {
    name: 'invents a stop reason',
    scenario: 'prompt/message',
    breaks: 'V047',
    defect: states('idle', (update) => ({ ...update, stopReason: 'done' })),
  },
  {
    name: 'gives every message the same id',
    scenario: 'prompt/message',
    breaks: 'V050',
    defect: (tampering) => {
      const { hears, says } = results('session/prompt', () => ({ messageId: 'one' }))(tampering);
      const { says: shown } = updates('user_message', (update) => ({ ...update, messageId: 'one' }))(tampering);
      return {
        ...(hears && { hears }),
        says: (message, text) =>
          (says?.(message, text) ?? []).flatMap((each) => shown?.(each as RawMessage, text) ?? []),
      };
    },
  },
  {
    name: 'does not show the message of a prompt',
    scenario: 'prompt/message',
    breaks: 'V051',
    defect: updates('user_message', () => undefined),
  },
  {
    name: 'inserts the newest prompt first',
    scenario: 'prompt/order',
    breaks: 'V053',
    defect: () => {
      const held: RawMessage[] = [];
      return {
        hears: (message) => {
          if (message['method'] !== 'session/prompt') return [message];
          held.unshift(message);
          return held.length === 3 ? held : [];
        },
      };
    },
  },
  {
    name: 'refuses a prompt after it showed its message',
    scenario: 'prompt/message',
    breaks: 'V054',
    defect: answers('session/prompt', (answer) => errorLine(answer, -32_603)),
  },
  {
    name: 'does not answer withdrawn prompts',
    scenario: 'prompt/withdrawn',
    breaks: 'V055',
    defect: () => ({ hears: (message) => (message['method'] === '$/cancel_request' ? [] : [message]) }),
  },
  {
    name: 'ignores the keys of prompts',
    scenario: 'prompt/key',
    breaks: 'V058',
    defect: receives('session/prompt', ({ idempotencyKey: _, ...params }) => params),
  },
  {
    name: 'continues with held prompts after session/cancel',
    scenario: 'cancel/held',
    breaks: 'V060',
    defect: () => {
      let prompts = 0;
      let held: RawMessage | undefined;
      return {
        hears: (message) => {
          if (message['method'] === 'session/prompt') prompts += 1;
          if (message['method'] === 'session/prompt' && prompts === 2) {
            held = message;
            return [];
          }
          return message['method'] === 'session/cancel' && held ? [message, held] : [message];
        },
      };
    },
  },
  {
    name: 'reports cancelled work as an error',
    scenario: 'cancel/own-command',
    breaks: 'V061',
    defect: states('idle', (update) => ({
      ...update,
      ...(update['stopReason'] === 'cancelled' && { stopReason: 'error' }),
    })),
  },
  {
    name: 'leaves the permission requests of cancelled work open',
    scenario: 'cancel/question',
    breaks: 'V062',
    defect: () => ({ says: (message) => (message['method'] === '$/cancel_request' ? [] : [message]) }),
  },
  {
    name: 'does not know how to cancel a tool call',
    scenario: 'cancel/unknown-work',
    breaks: 'V064',
    defect: refuses('tool_call/cancel', -32_601),
  },
  {
    name: 'asks for permission without a title',
    scenario: 'states/blocked',
    breaks: 'V080',
    defect: asks('session/request_permission', ({ title: _, ...params }) => params),
  },
  {
    name: 'takes every selected option for an approval',
    scenario: 'permission/unknown-option',
    breaks: 'V081',
    defect: takes('session/request_permission', (answer, asked) => choosing('allow_once', answer, asked)),
  },
  {
    name: 'takes the content of a declined form',
    scenario: 'elicitation/no-answer',
    breaks: 'V082',
    defect: takes('elicitation/create', ({ result, ...answer }) => ({
      ...answer,
      result: { ...asMessage(result), ...('content' in (asMessage(result) ?? {}) && { action: 'accept' }) },
    })),
  },
  {
    name: 'sends relative paths',
    scenario: 'states/blocked',
    breaks: 'V084',
    defect: updates('tool_call_update', (update) => ({ ...update, locations: [{ path: 'made.txt' }] })),
  },
  {
    name: 'sends patches with the prefixes of git',
    scenario: 'states/blocked',
    breaks: 'V085',
    defect: () => ({ says: (_, text) => [text.replace(String.raw`\n+++ /`, String.raw`\n+++ b/`)] }),
  },
  {
    name: 'begins tool calls without a title',
    scenario: 'states/blocked',
    breaks: 'V104',
    defect: updates('tool_call_update', ({ title: _, ...update }) => update),
  },
  {
    name: 'sends chunks without content',
    scenario: 'prompt/message',
    breaks: 'V112',
    defect: updates('agent_message_chunk', ({ content: _, ...update }) => update),
  },
  {
    name: 'invents a kind of tool',
    scenario: 'states/blocked',
    breaks: 'V113',
    defect: updates('tool_call_update', (update) => ({ ...update, kind: 'tinker' })),
  },
  {
    name: 'spells a key with an underscore',
    scenario: 'states/blocked',
    breaks: 'V114',
    defect: updates('tool_call_update', (update) => ({ ...update, raw_input: {} })),
  },
  {
    name: 'sends a malformed traceparent',
    scenario: 'prompt/message',
    breaks: 'V118',
    defect: () => ({
      says: (message) => [
        message['method'] === 'session/update'
          ? { ...message, params: { ...paramsOf(message), _meta: { traceparent: 'me' } } }
          : message,
      ],
    }),
  },
  {
    name: 'reads files without reporting it',
    scenario: 'tool-calls/read',
    breaks: 'V124',
    defect: updates('tool_call_update', () => undefined),
  },
];
