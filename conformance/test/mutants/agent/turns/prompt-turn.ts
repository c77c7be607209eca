import { asMessage } from '../../../../src/wire/messages.ts';
import type { Mutant } from '../../mutant-line.ts';
import { answersPrompts, inSessionOfItsOwn, isPromptAnswer, tells } from './tampered.ts';

export const promptTurnMutants: readonly Mutant[] = [
  {
    name: 'ends its turns without a word',
    judges: 'agent',
    scenario: 'prompt-turn/answer',
    breaks: 'R139',
    defect: tells((update) => (update['sessionUpdate'] === 'agent_message_chunk' ? undefined : update)),
  },
  {
    name: 'tells what it does in a session that nobody began',
    judges: 'agent',
    scenario: 'prompt-turn/answer',
    breaks: 'R139',
    defect: inSessionOfItsOwn('session/update'),
  },
  {
    name: 'tells something when the turn is over',
    judges: 'agent',
    scenario: 'prompt-turn/answer',
    breaks: 'R162',
    defect: () => {
      let held: readonly string[] = [];
      return {
        says: (message, text) => {
          const update = asMessage(asMessage(message['params'])?.['update']);
          if (update?.['sessionUpdate'] === 'agent_message_chunk') {
            held = [...held, text];
            return [];
          }
          if (!isPromptAnswer(message)) return [text];
          const late = held;
          held = [];
          return [text, ...late];
        },
      };
    },
  },
  {
    name: 'keeps its last words until half a second has gone by',
    judges: 'agent',
    scenario: 'prompt-turn/answer',
    breaks: 'R162',
    defect: ({ toKit }) => ({
      says: (message, text) => {
        const update = asMessage(asMessage(message['params'])?.['update']);
        if (update?.['sessionUpdate'] !== 'agent_message_chunk') return [message];
        setTimeout(() => toKit(text), 500);
        return [];
      },
    }),
  },
  {
    name: 'does not say why a turn ended',
    judges: 'agent',
    scenario: 'prompt-turn/answer',
    breaks: 'R145',
    defect: answersPrompts((answer) => [{ ...answer, result: {} }]),
  },
  {
    name: 'answers prompts twice',
    judges: 'agent',
    scenario: 'prompt-turn/overlap',
    breaks: 'R166',
    defect: answersPrompts((answer) => [answer, answer]),
  },
  {
    name: 'tells everything in the session that was begun last',
    judges: 'agent',
    scenario: 'prompt-turn/two-sessions',
    breaks: 'R078',
    defect: () => {
      let last: unknown;
      return {
        says: (message) => {
          last = asMessage(message['result'])?.['sessionId'] ?? last;
          const params = asMessage(message['params']);
          return [
            message['method'] === 'session/update' ? { ...message, params: { ...params, sessionId: last } } : message,
          ];
        },
      };
    },
  },
];
