import { asMessage } from '../../../../src/wire/messages.ts';
import type { Mutant } from '../../mutant-line.ts';
import { answersPrompts, inSessionOfItsOwn, isPromptAnswer, tells } from './tampered.ts';

export const promptTurnMutants: readonly Mutant[] = [
  {
    name: 'ends its turns without any message',
    judges: 'agent',
    scenario: 'prompt-turn/answer',
    breaks: 'R139',
    defect: tells((update) => (update['sessionUpdate'] === 'agent_message_chunk' ? undefined : update)),
  },
  {
    name: 'sends its updates with an unknown session id',
    judges: 'agent',
    scenario: 'prompt-turn/answer',
    breaks: 'R139',
    defect: inSessionOfItsOwn('session/update'),
  },
  {
    name: 'sends an update after the turn',
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
    name: 'sends its last message half a second after the turn',
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
    name: 'does not send a stop reason',
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
    name: 'sends all updates with the id of the newest session',
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
