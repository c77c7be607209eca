import { asMessage, at } from '../../../src/wire/messages.ts';
import { adds, type ClientMutant, crashesAt, deafTo } from '../client-mutant.ts';
import { answersItself, callsAt, isAbout, receives } from './v2-defects.ts';

/** Clients that cannot handle an update, a request or a cancel of version 2. */
export const v2UpdateMutants: readonly ClientMutant[] = [
  {
    name: 'shows only chunks',
    scenario: 'patches/whole-message',
    breaks: 'V142',
    defect: receives((message) =>
      at(message, 'params', 'update', 'sessionUpdate') === 'agent_message' ? undefined : message,
    ),
  },
  {
    name: 'listens to nothing after a chunk of an unknown call',
    scenario: 'patches/cleared',
    breaks: 'V142',
    defect: deafTo('"never-begun"'),
  },
  {
    name: 'listens to nothing after unknown content',
    scenario: 'patches/open-unions',
    breaks: 'V143',
    defect: deafTo('hologram'),
  },
  {
    name: 'listens to nothing after bytes that are not base64',
    scenario: 'patches/known-tag-with-wrong-body',
    breaks: 'V143',
    defect: deafTo('not base64!'),
  },
  {
    name: 'decodes characters of each chunk alone',
    scenario: 'patches/terminal-bytes',
    breaks: 'V144',
    defect: receives((message) => {
      const { update, ...params } = asMessage(message['params']) ?? {};
      const { data } = asMessage(update) ?? {};
      if (typeof data !== 'string') return message;
      const text = Buffer.from(data, 'base64').toString('utf8');
      return {
        ...message,
        params: { ...params, update: { ...asMessage(update), data: Buffer.from(text).toString('base64') } },
      };
    }),
  },
  { name: 'listens to nothing after a patch', scenario: 'patches/diffs', breaks: 'V085', defect: deafTo('git_patch') },
  { name: 'shows nothing after a Windows path', scenario: 'patches/diffs', breaks: 'V084', defect: deafTo('srv') },
  // Envelope
  {
    name: 'processes batches',
    scenario: 'envelope/batch',
    breaks: 'V001',
    defect: () => ({ hearsNoise: (text) => (JSON.parse(text) as unknown[]).map((each) => JSON.stringify(each)) }),
  },
  {
    name: 'ignores requests with odd ids',
    scenario: 'envelope/odd-ids',
    breaks: 'V002',
    defect: receives((message) =>
      message['method'] !== undefined && (message['id'] === null || message['id'] === 1.5) ? undefined : message,
    ),
  },
  {
    name: 'ignores requests with the id of an own one',
    scenario: 'envelope/same-id',
    breaks: 'V003',
    defect: () => {
      const own = new Set<unknown>();
      return {
        says: (message, text) => {
          if (message['method'] !== undefined) own.add(message['id']);
          return [text];
        },
        hears: (message, text) => (message['method'] !== undefined && own.has(message['id'] ?? '') ? [] : [text]),
      };
    },
  },
  {
    name: 'refuses null as parameters',
    scenario: 'envelope/null-params',
    breaks: 'V005',
    defect: answersItself((message) => message['params'] === null && message['id'] !== undefined, {
      error: { code: -32_602, message: 'params are not an object' },
    }),
  },
  {
    name: 'still reads files',
    scenario: 'envelope/no-host',
    breaks: 'V006',
    defect: answersItself(isAbout('fs/read_text_file'), { result: { content: '' } }),
  },
  // Questions and cancels
  {
    name: 'refuses questions with an unknown subject',
    scenario: 'asking/subjects',
    breaks: 'V080',
    defect: answersItself(isAbout('_network'), { error: { code: -32_601, message: 'unknown' } }),
  },
  {
    name: 'selects an option that was not offered',
    scenario: 'asking/option-kinds',
    breaks: 'V081',
    defect: answersItself(isAbout('_until_noon'), {
      result: { outcome: { outcome: 'selected', optionId: 'until noon' } },
    }),
  },
  {
    name: 'allows what the agent has withdrawn',
    scenario: 'asking/withdrawn',
    breaks: 'V062',
    defect: () => ({
      says: (message) =>
        at(message, 'result', 'outcome') === undefined
          ? [message]
          : [{ ...message, result: { outcome: { outcome: 'selected', optionId: 'yes' } } }],
    }),
  },
  {
    name: 'cancels questions of background work',
    scenario: 'asking/background',
    breaks: 'V062',
    defect: adds('session/cancel', { id: 'slow', result: { outcome: { outcome: 'cancelled' } } }),
  },
  {
    name: 'takes an unknown mode for a form',
    scenario: 'asking/forms',
    breaks: 'V082',
    defect: answersItself(isAbout('_hologram'), { result: { action: 'accept', content: {} } }),
  },
  {
    name: 'refuses questions of a login',
    scenario: 'asking/for-a-login',
    breaks: 'V082',
    defect: answersItself(isAbout('elicitation/create'), { error: { code: -32_602, message: 'no session' } }),
  },
  {
    name: 'listens to nothing after an unknown page was completed',
    scenario: 'asking/completed',
    breaks: 'V083',
    defect: deafTo('never asked'),
  },
  { name: 'is held by a withdrawn prompt', scenario: 'cancelling/held', breaks: 'V146', ends: 'never' },
  { name: 'is held by a cancelled turn', scenario: 'cancelling/late-updates', breaks: 'V146', ends: 'never' },
  {
    name: 'crashes on an update after a cancel',
    scenario: 'cancelling/late-updates',
    breaks: 'V063',
    defect: crashesAt('"completed"'),
  },
  {
    name: 'cancels every tool call',
    scenario: 'cancelling/tool-call',
    breaks: 'V064',
    defect: callsAt('"capabilities":{}', 'tool_call/cancel', { toolCallId: 'slow' }),
  },
  {
    name: 'cancels every terminal',
    scenario: 'cancelling/terminal',
    breaks: 'V064',
    defect: callsAt('"capabilities":{}', 'terminal/cancel', { terminalId: 'shell' }),
  },
  {
    name: 'listens to nothing after a child session',
    scenario: 'children/updates',
    breaks: 'V145',
    defect: deafTo('child-1'),
  },
  {
    name: 'refuses questions of child sessions',
    scenario: 'children/permission',
    breaks: 'V145',
    defect: answersItself(isAbout('request_permission'), { error: { code: -32_602, message: 'no such session' } }),
  },
  {
    name: 'cancels child sessions with their parent',
    scenario: 'children/no-operations',
    breaks: 'V091',
    defect: adds('session/cancel', { method: 'session/cancel', params: { sessionId: 'child-1' } }),
  },
];
