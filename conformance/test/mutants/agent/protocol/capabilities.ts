import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import type { Mutant } from '../../mutant-line.ts';
import { inSessionOfItsOwn } from '../turns/tampered.ts';
import { answering, errorLine, paramsOf } from './said.ts';

export const capabilityMutants: readonly Mutant[] = [
  {
    name: 'works without any update',
    judges: 'agent',
    scenario: 'capabilities/none',
    breaks: 'R048',
    defect: () => ({ says: (message) => (message['method'] === 'session/update' ? [] : [message]) }),
  },
  {
    name: 'writes files through a client that does not offer it',
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
    name: 'refuses a client without clientInfo',
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
    name: 'sends its updates with an unknown session id',
    judges: 'agent',
    scenario: 'capabilities/none',
    breaks: 'R048',
    defect: inSessionOfItsOwn('session/update'),
  },
  {
    name: 'treats a null capability as offered',
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
    name: 'refuses a client with unknown capabilities',
    judges: 'agent',
    scenario: 'capabilities/unknown',
    breaks: 'R034',
    defect: answering((message) =>
      clientCapabilities(message)?.['futureCapability'] === undefined ? undefined : errorLine(message, -32_602),
    ),
  },
  {
    name: 'cannot create sessions for clients that read files but do not write them',
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
    name: 'refuses resource links',
    judges: 'agent',
    scenario: 'content/baseline',
    breaks: 'R046',
    defect: answering((message) => (holds(message, 'resource_link') ? errorLine(message, -32_602) : undefined)),
  },
  {
    name: 'refuses images although it advertises them',
    judges: 'agent',
    scenario: 'content/advertised',
    breaks: 'R048',
    defect: answering((message) => (holds(message, 'image') ? errorLine(message, -32_602) : undefined)),
  },
  {
    name: 'does not implement session/prompt',
    judges: 'agent',
    scenario: 'methods/required',
    breaks: 'R048',
    defect: answering((message) => (message['method'] === 'session/prompt' ? errorLine(message, -32_601) : undefined)),
  },
  {
    name: 'refuses requests with unknown metadata',
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
