import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import type { Defect, Mutant } from '../../mutant-line.ts';
import {
  answersPrompts,
  asError,
  choosing,
  isPromptAnswer,
  keepsTerminals,
  stopReasonOf,
  withStopReason,
} from './tampered.ts';

const endsAsUsual: Defect = answersPrompts((answer) => [
  stopReasonOf(answer) === 'cancelled' ? withStopReason(answer, 'end_turn') : answer,
]);

const fails: Defect = answersPrompts((answer) => [stopReasonOf(answer) === 'cancelled' ? asError(answer) : answer]);

export const cancelMutants: readonly Mutant[] = [
  {
    name: 'applies a cancel to the next prompt',
    judges: 'agent',
    scenario: 'cancel/idle',
    breaks: 'R164',
    defect: () => {
      let isCancelled = false;
      return {
        hears: (message) => {
          isCancelled ||= message['method'] === 'session/cancel';
          return [message];
        },
        says: (message) => [isCancelled && isPromptAnswer(message) ? withStopReason(message, 'cancelled') : message],
      };
    },
  },
  {
    name: 'reports a normal end of a cancelled turn',
    judges: 'agent',
    scenario: 'cancel/command',
    breaks: 'R159',
    defect: endsAsUsual,
  },
  {
    name: 'lets a command run after its turn was cancelled',
    judges: 'agent',
    scenario: 'cancel/command',
    breaks: 'R158',
    defect: answersByItself,
  },
  {
    name: 'does not release the terminal of a cancelled turn',
    judges: 'agent',
    scenario: 'cancel/command',
    breaks: 'R226',
    defect: keepsTerminals,
  },
  {
    name: 'answers a cancelled prompt with an abort error',
    judges: 'agent',
    scenario: 'cancel/own-command',
    breaks: 'R160',
    defect: fails,
  },
  {
    name: 'cancels every turn after a cancelled one',
    judges: 'agent',
    scenario: 'cancel/own-command',
    breaks: 'R164',
    defect: ({ toKit }) => {
      let isCancelled = false;
      return {
        says: (message) => {
          isCancelled ||= stopReasonOf(message) === 'cancelled';
          return [message];
        },
        hears: (message) => {
          if (message['method'] !== 'session/prompt' || !isCancelled) return [message];
          toKit(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result: { stopReason: 'cancelled' } }));
          return [];
        },
      };
    },
  },
  {
    name: 'answers an early cancel with an error',
    judges: 'agent',
    scenario: 'cancel/words',
    breaks: 'R160',
    defect: interruptible((prompt) => [asError(prompt)]),
  },
  {
    name: 'never answers a prompt after an early cancel',
    judges: 'agent',
    scenario: 'cancel/words',
    breaks: 'R159',
    defect: interruptible(() => []),
  },
  {
    name: 'cancels the turns of all sessions',
    judges: 'agent',
    scenario: 'cancel/one-session',
    breaks: 'R078',
    defect: () => {
      const sessions = new Set<unknown>();
      return {
        says: (message) => {
          const id = asMessage(message['result'])?.['sessionId'];
          if (id !== undefined) sessions.add(id);
          return [message];
        },
        hears: (message) =>
          message['method'] === 'session/cancel'
            ? [...sessions].map((sessionId) => ({ ...message, params: { sessionId } }))
            : [message],
      };
    },
  },
  {
    name: 'treats a cancelled permission as granted',
    judges: 'agent',
    scenario: 'cancel/permission',
    breaks: 'R201',
    defect: continuesNormally,
  },
  {
    name: 'reports a normal end of a turn cancelled during a question',
    judges: 'agent',
    scenario: 'cancel/permission',
    breaks: 'R159',
    defect: endsAsUsual,
  },
  {
    name: 'fails when a turn is cancelled before its first message',
    judges: 'agent',
    scenario: 'cancel/any-moment',
    breaks: 'R160',
    defect: () => {
      let hasSaid = false;
      return {
        hears: (message) => {
          if (message['method'] === 'session/prompt') hasSaid = false;
          return [message];
        },
        says: (message) => {
          hasSaid ||= asMessage(asMessage(message['params'])?.['update'])?.['sessionUpdate'] === 'tool_call';
          return [isPromptAnswer(message) && !hasSaid ? asError(message) : message];
        },
      };
    },
  },
];

/** Delays its last message and its answer until it is cancelled. */
function interruptible(answer: (prompt: RawMessage) => readonly RawMessage[]): Defect {
  return ({ toKit }) => {
    let prompt: RawMessage = {};
    return {
      hears: (message) => {
        if (message['method'] === 'session/prompt') prompt = message;
        if (message['method'] !== 'session/cancel') return [message];
        for (const line of answer(prompt)) toKit(JSON.stringify(line));
        return [];
      },
      says: (message) => (isPromptAnswer(message) ? [] : [message]),
    };
  };
}

/** Answers the prompt itself, and hides the cancel from the agent. */
function answersByItself({ toKit }: Parameters<Defect>[0]): ReturnType<Defect> {
  let prompt: unknown;
  return {
    hears: (message) => {
      if (message['method'] === 'session/prompt') prompt = message['id'];
      if (message['method'] !== 'session/cancel') return [message];
      toKit(JSON.stringify({ jsonrpc: '2.0', id: prompt, result: { stopReason: 'cancelled' } }));
      return [];
    },
  };
}

/** Hides the cancel and the refusal from the agent, and reports a cancelled turn. */
function continuesNormally(): ReturnType<Defect> {
  let question: RawMessage = {};
  return {
    says: (message) => {
      if (message['method'] === 'session/request_permission') question = asMessage(message['params']) ?? {};
      return [isPromptAnswer(message) ? withStopReason(message, 'cancelled') : message];
    },
    hears: (message) => {
      if (message['method'] === 'session/cancel') return [];
      const isRefusal = asMessage(asMessage(message['result'])?.['outcome'])?.['outcome'] === 'cancelled';
      return [isRefusal ? choosing('allow_once', message, question) : message];
    },
  };
}
