import { asMessage } from '../../../../src/wire/messages.ts';
import type { Defect, Mutant } from '../../mutant-line.ts';
import { asError, isPromptAnswer, takes, takesForOffered, tells } from './tampered.ts';

const method = 'elicitation/create';

/** Faults in content, plans and questions. */
export const askingMutants: readonly Mutant[] = [
  {
    name: 'accepts content that it does not advertise',
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
    name: 'sends only the current entry of a plan',
    judges: 'agent',
    scenario: 'plan/entries',
    breaks: 'R243',
    defect: tells((update) =>
      update['sessionUpdate'] === 'plan' ? { ...update, entries: runningOf(update['entries']) } : update,
    ),
  },
  {
    name: 'asks with forms although the client does not offer them',
    judges: 'agent',
    scenario: 'elicitation/not-offered',
    breaks: 'R287',
    defect: takesForOffered({ elicitation: { form: {} } }),
  },
  {
    name: 'uses the content of a declined question',
    judges: 'agent',
    scenario: 'elicitation/no-answer',
    breaks: 'R307',
    defect: takes(method, (answer) => {
      const result = asMessage(answer['result']);
      return result === undefined ? answer : { ...answer, result: { ...result, action: 'accept' } };
    }),
  },
  {
    name: 'continues as if an unanswered question had been answered',
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
    name: 'fails when the user declines',
    judges: 'agent',
    scenario: 'elicitation/no-answer',
    breaks: 'R308',
    defect: failsOnDecline,
  },
  {
    name: 'accepts an answer that its form does not allow',
    judges: 'agent',
    scenario: 'elicitation/invalid',
    breaks: 'R295',
    defect: takesAnything,
  },
  {
    name: 'sends notices to clients that do not offer them',
    judges: 'agent',
    scenario: 'notices/not-offered',
    breaks: 'R315',
    defect: takesForOffered({ session: { notices: {} } }),
  },
  {
    name: 'sends compaction updates to clients that do not offer them',
    judges: 'agent',
    scenario: 'compaction/not-offered',
    breaks: 'R319',
    defect: tellsOfCompactions,
  },
];

/** Receives a valid answer and reports the invalid one. */
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

/** Compacts on command, and sends updates to every client. */
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
