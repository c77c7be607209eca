import { asMessage } from '../../../../src/wire/messages.ts';
import type { Defect, Mutant } from '../../mutant-line.ts';
import { asError, isPromptAnswer, takes, takesForOffered, tells } from './tampered.ts';

const method = 'elicitation/create';

/** What is wrong with contents, plans and questions. */
export const askingMutants: readonly Mutant[] = [
  {
    name: 'takes content that it does not say it takes',
    judges: 'agent',
    scenario: 'content/not-advertised',
    breaks: 'R136',
    defect: () => ({
      says: (message) => {
        const result = asMessage(message['result']);
        const capabilities = asMessage(result?.['agentCapabilities']);
        if (capabilities === undefined) return [message];
        return [{ ...message, result: { ...result, agentCapabilities: { ...capabilities, promptCapabilities: {} } } }];
      },
    }),
  },
  {
    name: 'tells only the entry of a plan that it works on',
    judges: 'agent',
    scenario: 'plan/entries',
    breaks: 'R243',
    defect: tells((update) =>
      update['sessionUpdate'] === 'plan' ? { ...update, entries: runningOf(update['entries']) } : update,
    ),
  },
  {
    name: 'asks a client that shows no forms',
    judges: 'agent',
    scenario: 'elicitation/not-offered',
    breaks: 'R287',
    defect: takesForOffered({ elicitation: { form: {} } }),
  },
  {
    name: 'takes the content of a decline for an answer',
    judges: 'agent',
    scenario: 'elicitation/no-answer',
    breaks: 'R307',
    defect: takes(method, (answer) => {
      const result = asMessage(answer['result']);
      return result === undefined ? answer : { ...answer, result: { ...result, action: 'accept' } };
    }),
  },
  {
    name: 'takes an answer for granted when there is none',
    judges: 'agent',
    scenario: 'elicitation/no-answer',
    breaks: 'R308',
    defect: takes(method, ({ id, ...answer }) =>
      answer['error'] === undefined
        ? { id, ...answer }
        : { jsonrpc: '2.0', id, result: { action: 'accept', content: { answer: 'mulberry' } } },
    ),
  },
  {
    name: 'fails when somebody does not want to answer',
    judges: 'agent',
    scenario: 'elicitation/no-answer',
    breaks: 'R308',
    defect: failsOnDecline,
  },
  {
    name: 'takes an answer that its form does not allow',
    judges: 'agent',
    scenario: 'elicitation/invalid',
    breaks: 'R295',
    defect: takesAnything,
  },
  {
    name: 'sends notices whether they are wanted or not',
    judges: 'agent',
    scenario: 'notices/not-offered',
    breaks: 'R315',
    defect: takesForOffered({ session: { notices: {} } }),
  },
  {
    name: 'tells of compactions whether that is wanted or not',
    judges: 'agent',
    scenario: 'compaction/not-offered',
    breaks: 'R319',
    defect: tellsOfCompactions,
  },
];

/** Gets an answer that fits, and tells the one that does not. */
function takesAnything(): ReturnType<Defect> {
  let isWrong = false;
  return {
    hears: (_, text) => {
      isWrong ||= text.includes('walnut');
      return [text.replace('walnut', 'quince')];
    },
    says: (_, text) => [isWrong && text.includes('agent_message_chunk') ? text.replaceAll('quince', 'walnut') : text],
  };
}

/** Compacts whenever it is told to, and tells everybody. */
function tellsOfCompactions({ toKit }: Parameters<Defect>[0]): ReturnType<Defect> {
  return {
    hears: (message, text) => {
      const sessionId = asMessage(message['params'])?.['sessionId'];
      const update = { sessionUpdate: 'compaction_update', compactionId: 'one', status: 'completed' };
      if (text.includes('/compact'))
        toKit(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } }));
      return [message];
    },
  };
}

function failsOnDecline(): ReturnType<Defect> {
  let isDeclined = false;
  return {
    hears: (message) => {
      isDeclined = asMessage(message['result'])?.['action'] === 'decline';
      return [message];
    },
    says: (message) => [isDeclined && isPromptAnswer(message) ? asError(message) : message],
  };
}

function runningOf(entries: unknown): readonly unknown[] {
  return Array.isArray(entries) ? entries.filter((entry) => asMessage(entry)?.['status'] === 'in_progress') : [];
}
