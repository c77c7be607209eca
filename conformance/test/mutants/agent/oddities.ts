import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asMessage, type RawMessage } from '../../../src/wire/messages.ts';
import type { RequirementId } from '../../../src/requirements/requirement.ts';
import type { Mutant } from '../mutant-line.ts';
import { answering, errorLine, resultLine } from './protocol/said.ts';
import { inventing, mistelling, withUpdate } from './sessions/defects.ts';
import { answersPrompts, asks, choosing, tells, withStopReason } from './turns/tampered.ts';

/** Unusual behaviour that is not the fault it might look like. */
export interface Oddity extends Pick<Mutant, 'name' | 'defect'> {
  /** Scenarios in which it could be mistaken for a fault. */
  readonly scenarios: readonly [string, ...string[]];
  /** The requirements that it does break; no others must be reported. Default: none. */
  readonly breaks?: readonly RequirementId[];
}

const noModel = { error: { code: -32_603, message: 'no model is configured' } };

/** Unusual agents. */
export const oddities: readonly Oddity[] = [
  {
    name: 'supports one session at a time',
    scenarios: ['metadata/any-values', 'new-session/apart', 'prompt-turn/two-sessions', 'cancel/one-session'],
    defect: (tampering) => {
      let sessions = 0;
      return inventing('session/new', () => {
        sessions += 1;
        return sessions > 1 ? { error: { code: -32_600, message: 'there is a session already' } } : undefined;
      })(tampering);
    },
  },
  {
    name: 'cannot create sessions without a model',
    scenarios: ['json-rpc/bad-params', 'capabilities/combinations', 'shutdown/idle'],
    defect: inventing('session/new', () => noModel),
  },
  {
    name: 'never answers unknown methods',
    scenarios: [
      'framing/escaped',
      'framing/line-breaks',
      'framing/whitespace',
      'framing/long-line',
      'ids/kinds',
      'ids/null',
      'json-rpc/parse-error',
      'json-rpc/unknown-method',
      'notifications/no-answer',
      'notifications/unknown-extension',
      'errors/wrong-types',
    ],
    breaks: ['R284'],
    defect: () => ({ hears: (message) => (String(message['method']).startsWith('_') ? [] : [message]) }),
  },
  {
    name: 'refuses a prompt without any message',
    scenarios: ['capabilities/none', 'prompt-turn/answer', 'files/not-offered'],
    defect: answering((message) =>
      message['method'] === 'session/prompt' ? resultLine(message, { stopReason: 'refusal' }) : undefined,
    ),
  },
  {
    name: 'does not support $/cancel_request',
    scenarios: ['cancel-request/cascade', 'cancel-request/pending', 'cancel/command', 'cancel/permission'],
    defect: () => ({
      hears: (message) => (message['method'] === '$/cancel_request' ? [] : [message]),
      says: (message) => (message['method'] === '$/cancel_request' ? [] : [message]),
    }),
  },
  {
    name: 'releases its terminals shortly after the turn',
    scenarios: ['terminals/life', 'cancel/command'],
    defect: ({ toKit, toSubject }) => ({
      says: (message, text) => {
        if (message['method'] !== 'terminal/release') return [message];
        toSubject(resultLine(message, {}));
        setTimeout(() => toKit(text), 700);
        return [];
      },
      hears: (message) => [message],
    }),
  },
  {
    name: 'offers only permanent permission options',
    scenarios: ['tool-calls/permitted', 'tool-calls/new-file', 'permission/rejected'],
    defect: asks('session/request_permission', (params) => ({
      ...params,
      options: [
        { optionId: 'no', name: 'No', kind: 'reject_once' },
        { optionId: 'allow_always', name: 'Yes', kind: 'allow_always' },
      ],
    })),
  },
  {
    name: 'ends its turn while commands still run',
    scenarios: ['cancel/command', 'cancel/own-command', 'cancel/one-session', 'cancel/any-moment', 'close/turn'],
    defect: endingEarly,
  },
  {
    name: 'asks for permission for something else than leaving its mode',
    scenarios: ['modes/leave'],
    // It gets an answer that the client did not send, and ends its turn because of it.
    breaks: ['R419'],
    defect: (tampering) => ({
      ...asks('session/request_permission', ({ toolCall, ...params }) => ({
        ...params,
        toolCall: { ...asMessage(toolCall), kind: 'execute' },
      }))(tampering),
      hears: (message) => {
        const outcome = asMessage(asMessage(message['result'])?.['outcome']);
        return [outcome === undefined ? message : { ...message, result: { outcome: { outcome: 'cancelled' } } }];
      },
    }),
  },
  {
    name: 'asks before it runs commands but creates files without asking',
    scenarios: ['permission/rejected', 'permission/cancelled', 'cancel/permission'],
    defect: ({ toSubject }) => ({
      says: (message) => {
        const params = asMessage(message['params']) ?? {};
        const isForEdit = asMessage(params['toolCall'])?.['kind'] === 'edit';
        if (message['method'] !== 'session/request_permission' || !isForEdit) return [message];
        toSubject(JSON.stringify(choosing('allow_once', message, params)));
        return [];
      },
    }),
  },
  {
    name: 'answers $/cancel_request as an unknown method',
    scenarios: ['cancel-request/answered'],
    // An answer without an id is not a valid answer.
    breaks: ['R005'],
    defect: ({ toKit }) => ({
      hears: (message) => {
        if (message['method'] !== '$/cancel_request') return [message];
        toKit(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_601, message: 'Method not found' } }));
        return [];
      },
    }),
  },
  {
    name: 'has sent everything before it receives the cancel',
    scenarios: ['cancel/words'],
    defect: () => ({ hears: (message) => (message['method'] === 'session/cancel' ? [] : [message]) }),
  },
  {
    name: 'rewords one step of a plan',
    scenarios: ['plan/entries'],
    defect: tells((update) => {
      const [first, ...others] = (update['entries'] ?? []) as readonly RawMessage[];
      return first === undefined ? update : { ...update, entries: [{ ...first, content: 'Picking.' }, ...others] };
    }),
  },
  {
    name: 'runs out of tokens while a tool runs',
    scenarios: ['tool-calls/read'],
    defect: (tampering) => {
      const { says: unfinished } = tells(({ status, ...update }) =>
        status === 'completed' ? update : { ...update, ...(status !== undefined && { status }) },
      )(tampering);
      const { says: stopped } = answersPrompts((answer) => [withStopReason(answer, 'max_tokens')])(tampering);
      return {
        says: (message, text) =>
          (unfinished?.(message, text) ?? []).flatMap((line) => stopped?.(line as RawMessage, text) ?? []),
      };
    },
  },
  {
    name: 'edits a file that it has just created',
    scenarios: ['tool-calls/new-file'],
    defect: mistelling((update, message) => {
      const content = update['content'];
      const [diff] = (Array.isArray(content) ? content : []) as readonly RawMessage[];
      if (diff?.['type'] !== 'diff' || diff['oldText'] !== undefined) return undefined;
      const edited = { ...diff, oldText: diff['newText'], newText: `${String(diff['newText'])}!` };
      return [message, withUpdate(message, { ...update, content: [edited] })];
    }),
  },
  {
    name: 'sets a title after the sessions were listed',
    scenarios: ['list/filter'],
    defect: () => {
      const lists = new Set<unknown>();
      let sessionId: unknown;
      return {
        hears: (message) => {
          if (message['method'] === 'session/list') lists.add(message['id']);
          if (message['method'] === 'session/prompt') sessionId = asMessage(message['params'])?.['sessionId'];
          return [message];
        },
        says: (message) => {
          const sessions = asMessage(message['result'])?.['sessions'];
          const isListed = lists.has(message['id']) && Array.isArray(sessions) && sessions.length > 0;
          const update = { sessionUpdate: 'session_info_update', title: 'a title that came late' };
          return isListed ? [message, updateLine(sessionId, update)] : [message];
        },
      };
    },
  },
  {
    name: 'asks about another action after a permanent permission',
    scenarios: ['permission/always'],
    defect: () => {
      let questions = 0;
      return {
        says: (message) => {
          const params = asMessage(message['params']);
          if (message['method'] !== 'session/request_permission' || params === undefined) return [message];
          questions += 1;
          const toolCall = { ...asMessage(params['toolCall']), title: `question ${questions}` };
          return [{ ...message, params: { ...params, toolCall } }];
        },
        hears: (message) => [message],
      };
    },
  },
  {
    name: 'refuses every session because of a missing login',
    scenarios: ['initialize/answer', 'methods/required', 'notifications/no-answer', 'new-session/cwd'],
    defect: (tampering) => {
      const { hears } = answering((message) =>
        message['method'] === 'session/new' ? errorLine(message, -32_000, 'Authentication required') : undefined,
      )(tampering);
      return { ...(hears && { hears }) };
    },
  },
];

/** Ends the turn once the command runs and lets it continue. A cancel before that is processed normally. */
function endingEarly({ toKit }: Parameters<Mutant['defect']>[0]): ReturnType<Mutant['defect']> {
  let folder = '';
  let prompt: RawMessage | undefined;
  let isOver = false;
  const end = async (asked: RawMessage, update: RawMessage): Promise<void> => {
    while (prompt === asked && !existsSync(join(folder, 'slow.pid'))) await delay(1);
    if (prompt !== asked) return;
    isOver = true;
    const { sessionId } = asMessage(asked['params']) ?? {};
    toKit(updateLine(sessionId, { ...update, status: 'completed' }));
    toKit(resultLine(asked, { stopReason: 'end_turn' }));
  };
  return {
    hears: (message) => {
      if (message['method'] === 'session/new') folder = String(asMessage(message['params'])?.['cwd']);
      if (message['method'] === 'session/prompt') prompt = message;
      if (message['method'] === 'session/cancel' || message['method'] === 'session/close') prompt = undefined;
      return [message];
    },
    says: (message) => {
      const update = asMessage(asMessage(message['params'])?.['update']);
      if (prompt !== undefined && update?.['status'] === 'in_progress') void end(prompt, update);
      const isOfTurn = update !== undefined || asMessage(message['result'])?.['stopReason'] !== undefined;
      return isOver && isOfTurn ? [] : [message];
    },
  };
}

function updateLine(sessionId: unknown, update: RawMessage): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } });
}
