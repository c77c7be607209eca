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
    name: 'keeps a cancel for the next prompt',
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
    name: 'says of a cancelled turn that it ended as usual',
    judges: 'agent',
    scenario: 'cancel/command',
    breaks: 'R159',
    defect: endsAsUsual,
  },
  {
    name: 'lets a command run on when its turn is cancelled',
    judges: 'agent',
    scenario: 'cancel/command',
    breaks: 'R158',
    defect: answersByItself,
  },
  {
    name: 'releases no terminal of a cancelled turn',
    judges: 'agent',
    scenario: 'cancel/command',
    breaks: 'R226',
    defect: keepsTerminals,
  },
  {
    name: 'tells of the abort of its own command as an error',
    judges: 'agent',
    scenario: 'cancel/own-command',
    breaks: 'R160',
    defect: fails,
  },
  {
    name: 'continues to cancel what is asked after a turn that was cancelled',
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
    name: 'fails when it is interrupted',
    judges: 'agent',
    scenario: 'cancel/words',
    breaks: 'R160',
    defect: interruptible((prompt) => [asError(prompt)]),
  },
  {
    name: 'is silent for ever once it is interrupted',
    judges: 'agent',
    scenario: 'cancel/words',
    breaks: 'R159',
    defect: interruptible(() => []),
  },
  {
    name: 'cancels the turns of all sessions at once',
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
    name: 'takes a dismissed question for a yes when its turn is cancelled',
    judges: 'agent',
    scenario: 'cancel/permission',
    breaks: 'R201',
    defect: continuesNormally,
  },
  {
    name: 'says that a turn ended as usual that was cancelled during a question',
    judges: 'agent',
    scenario: 'cancel/permission',
    breaks: 'R159',
    defect: endsAsUsual,
  },
  {
    name: 'fails when a turn is cancelled before it has said anything',
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

/** Has not said everything until it is cancelled, and answers the prompt then. */
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

/** Answers the prompt in the agent's place, which never hears of the cancel. */
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

/** Never hears of the cancel, nor of the refusal, and says that it did. */
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
