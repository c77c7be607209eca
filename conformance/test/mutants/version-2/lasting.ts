import { asMessage, at } from '../../../src/wire/messages.ts';
import { errorLine, paramsOf } from '../agent/protocol/said.ts';
import { promptIn, withPrompt } from '../agent/sessions/defects.ts';
import { choosing } from '../agent/turns/tampered.ts';
import { replays, results, updates, type Version2Mutant } from './tampered.ts';

const ask = 'session/request_permission';

function idOfFirst(): Version2Mutant['defect'] {
  let first: unknown;
  return results('session/new', (result) => ({ ...result, sessionId: (first ??= result['sessionId']) }));
}

/** Agents of version 2 whose faults show in a later message, or in another process. */
export const lastingMutants: readonly Version2Mutant[] = [
  {
    name: 'never answers the first prompt of a resumed session',
    scenario: 'resume/context',
    breaks: 'V070',
    defect: () => {
      let isResumed = false;
      return {
        hears: (message) => {
          const isLost = isResumed && message['method'] === 'session/prompt';
          isResumed = message['method'] === 'session/resume' || (isResumed && !isLost);
          return isLost ? [] : [message];
        },
      };
    },
  },
  {
    name: 'leaves replayed tool calls in progress',
    scenario: 'load/again',
    breaks: 'V071',
    defect: replays((message, update) =>
      update['toolCallId'] !== undefined && update['status'] !== 'in_progress' ? [] : [message],
    ),
  },
  {
    name: 'gives a session of another process the id of a stored one',
    scenario: 'load/again',
    breaks: 'V119',
    defect: idOfFirst(),
  },
  {
    name: 'remembers what was allowed once',
    scenario: 'permission/once',
    breaks: 'V081',
    defect: ({ toSubject }) => {
      let isAllowed = false;
      return {
        says: (message) => {
          if (message['method'] !== ask) return [message];
          if (isAllowed) toSubject(JSON.stringify(choosing('allow_once', message, paramsOf(message))));
          const asked = isAllowed ? [] : [message];
          isAllowed = true;
          return asked;
        },
        hears: (message) => [message],
      };
    },
  },
  {
    name: 'asks for permission for a tool call that has ended',
    scenario: 'permission/once',
    breaks: 'V160',
    defect: () => {
      let ended: unknown;
      return {
        says: (message) => {
          const { toolCallId, status } = asMessage(paramsOf(message)['update']) ?? {};
          if (status === 'completed') ended ??= toolCallId;
          const { subject, ...params } = paramsOf(message);
          if (message['method'] !== ask || ended === undefined) return [message];
          const { status: _, ...toolCall } = asMessage(at(subject, 'toolCall')) ?? {};
          return [
            {
              ...message,
              params: { ...params, subject: { type: 'tool_call', toolCall: { ...toolCall, toolCallId: ended } } },
            },
          ];
        },
      };
    },
  },
  {
    name: 'asks for a login while it is busy',
    scenario: 'prompt-turn/overlap',
    breaks: 'V126',
    defect: ({ toKit }) => {
      let prompts = 0;
      return {
        hears: (message) => {
          prompts += Number(message['method'] === 'session/prompt');
          if (message['method'] !== 'session/prompt' || prompts < 2) return [message];
          toKit(errorLine(message, -32_000));
          return [];
        },
      };
    },
  },
  {
    name: 'reports failed work as finished',
    scenario: 'prompt-turn/answer',
    breaks: 'V162',
    defect: updates('agent_message_chunk', (update) => ({
      ...update,
      content: { type: 'text', text: 'Error: connect ECONNREFUSED 127.0.0.1:443' },
    })),
  },
  {
    name: 'runs commands in the folder of the newest session',
    scenario: 'command-folder/two-sessions',
    breaks: 'V120',
    defect: () => {
      let last = '';
      return {
        hears: (message) => {
          const params = paramsOf(message);
          if (message['method'] === 'session/new') last = String(params['cwd']);
          if (message['method'] !== 'session/prompt') return [message];
          return [{ ...message, params: withPrompt(params, promptIn(params).replace(/^run /, `run env -C ${last} `)) }];
        },
      };
    },
  },
  {
    name: 'prints a greeting at its first run',
    scenario: 'stdout/first-run',
    breaks: 'V007',
    defect: ({ toKit, home }) => ({
      hears: (message) => {
        if (home !== undefined && message['method'] === 'session/new') toKit('Welcome!');
        return [message];
      },
    }),
  },
];
