import type { Mutant } from '../../mutant-line.ts';
import { asMessage } from '../../../../src/wire/messages.ts';
import { answering, errorLine, paramsOf, resultLine } from './said.ts';

export const initializeMutants: readonly Mutant[] = [
  {
    name: 'has a date as its protocol version',
    judges: 'agent',
    scenario: 'initialize/answer',
    breaks: 'R039',
    defect: () => ({
      says: (message) => {
        const result = asMessage(message['result']);
        return result?.['protocolVersion'] === undefined
          ? [message]
          : [{ ...message, result: { ...result, protocolVersion: '2025-06-18' } }];
      },
    }),
  },
  {
    name: 'creates sessions before initialize',
    judges: 'agent',
    scenario: 'initialize/first',
    breaks: 'R031',
    defect: answering((message) =>
      message['method'] === 'session/new' ? resultLine(message, { sessionId: 'early' }) : undefined,
    ),
  },
  {
    name: 'refuses a client because of optional fields',
    judges: 'agent',
    scenario: 'initialize/malformed-values',
    breaks: 'R029',
    defect: answering((message) => (message['method'] === 'initialize' ? errorLine(message, -32_602) : undefined)),
  },
  {
    name: 'agrees to every requested version',
    judges: 'agent',
    scenario: 'versions/negotiation',
    breaks: 'R036',
    defect: answering((message) =>
      message['method'] === 'initialize'
        ? resultLine(message, { protocolVersion: paramsOf(message)['protocolVersion'] })
        : undefined,
    ),
  },
  {
    name: 'refuses unknown versions',
    judges: 'agent',
    scenario: 'versions/negotiation',
    breaks: 'R036',
    defect: answering((message) => (message['method'] === 'initialize' ? errorLine(message, -32_602) : undefined)),
  },
  {
    name: 'agrees to any number as a version',
    judges: 'agent',
    scenario: 'versions/no-version',
    breaks: 'R039',
    defect: answering((message) =>
      message['method'] === 'initialize'
        ? resultLine(message, { protocolVersion: paramsOf(message)['protocolVersion'], agentCapabilities: {} })
        : undefined,
    ),
  },
];
