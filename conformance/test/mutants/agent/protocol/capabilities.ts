import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import type { Mutant } from '../../mutant-line.ts';
import { inSessionOfItsOwn } from '../turns/tampered.ts';
import { answering, errorLine, paramsOf } from './said.ts';

export const capabilityMutants: readonly Mutant[] = [
  {
    name: 'works in silence',
    judges: 'agent',
    scenario: 'capabilities/none',
    breaks: 'R048',
    defect: () => ({ says: (message) => (message['method'] === 'session/update' ? [] : [message]) }),
  },
  {
    name: 'writes with a client that does not speak of files',
    judges: 'agent',
    scenario: 'capabilities/absent',
    breaks: 'R042',
    defect: ({ toKit }) => ({
      hears: (message) => {
        const params = { sessionId: paramsOf(message)['sessionId'], path: '/made.txt', content: '' };
        const call = { jsonrpc: '2.0', id: 'unasked', method: 'fs/write_text_file', params };
        if (message['method'] === 'session/prompt') toKit(JSON.stringify(call));
        return message['id'] === 'unasked' ? [] : [message];
      },
    }),
  },
  {
    name: 'refuses a client that does not say who it is',
    judges: 'agent',
    scenario: 'capabilities/absent',
    breaks: 'R034',
    defect: answering((message) =>
      message['method'] === 'initialize' && paramsOf(message)['clientInfo'] === undefined
        ? errorLine(message, -32_602)
        : undefined,
    ),
  },
  {
    name: 'tells its updates in a session that nobody began',
    judges: 'agent',
    scenario: 'capabilities/none',
    breaks: 'R048',
    defect: inSessionOfItsOwn('session/update'),
  },
  {
    name: 'takes null for yes',
    judges: 'agent',
    scenario: 'capabilities/null',
    breaks: 'R050',
    defect: () => ({
      hears: (message) => {
        const capabilities = clientCapabilities(message);
        if (capabilities?.['elicitation'] !== null) return [message];
        const clientCapabilitiesHeard = { ...capabilities, elicitation: { form: {} } };
        return [{ ...message, params: { ...paramsOf(message), clientCapabilities: clientCapabilitiesHeard } }];
      },
    }),
  },
  {
    name: 'refuses a client that can do more than it knows',
    judges: 'agent',
    scenario: 'capabilities/unknown',
    breaks: 'R034',
    defect: answering((message) =>
      clientCapabilities(message)?.['futureCapability'] === undefined ? undefined : errorLine(message, -32_602),
    ),
  },
  {
    name: 'begins no session for clients that read files and do not write them',
    judges: 'agent',
    scenario: 'capabilities/combinations',
    breaks: 'R041',
    defect: (tampering) => {
      let isPoor = false;
      const refusing = answering((message) => {
        const files = asMessage(clientCapabilities(message)?.['fs']);
        isPoor ||= files?.['readTextFile'] === true && files['writeTextFile'] !== true;
        return isPoor && message['method'] === 'session/new' ? errorLine(message, -32_603) : undefined;
      });
      return refusing(tampering);
    },
  },
  {
    name: 'refuses links',
    judges: 'agent',
    scenario: 'content/baseline',
    breaks: 'R046',
    defect: answering((message) => (holds(message, 'resource_link') ? errorLine(message, -32_602) : undefined)),
  },
  {
    name: 'refuses pictures although it says that it takes them',
    judges: 'agent',
    scenario: 'content/advertised',
    breaks: 'R048',
    defect: answering((message) => (holds(message, 'image') ? errorLine(message, -32_602) : undefined)),
  },
  {
    name: 'has no prompts',
    judges: 'agent',
    scenario: 'methods/required',
    breaks: 'R048',
    defect: answering((message) => (message['method'] === 'session/prompt' ? errorLine(message, -32_601) : undefined)),
  },
  {
    name: 'refuses what has metadata it does not know',
    judges: 'agent',
    scenario: 'metadata/any-values',
    breaks: 'R281',
    defect: answering((message) =>
      message['method'] === 'session/new' && '_meta' in paramsOf(message) ? errorLine(message, -32_602) : undefined,
    ),
  },
];

function clientCapabilities(message: RawMessage): RawMessage | undefined {
  return asMessage(paramsOf(message)['clientCapabilities']);
}

function holds(message: RawMessage, type: string): boolean {
  const { prompt } = paramsOf(message);
  return Array.isArray(prompt) && prompt.some((block) => asMessage(block)?.['type'] === type);
}
