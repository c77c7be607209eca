import type { Mutant } from '../../mutant-line.ts';
import { errorLine, paramsOf } from './said.ts';

export const cancelRequestMutants: readonly Mutant[] = [
  {
    name: 'answers every $/cancel_request',
    judges: 'agent',
    scenario: 'cancel-request/answered',
    breaks: 'R173',
    defect: ({ toKit }) => ({
      hears: (message) => {
        if (message['method'] === '$/cancel_request') toKit(errorLine({ id: paramsOf(message)['requestId'] }, -32_800));
        return [message];
      },
    }),
  },
  {
    name: 'answers a cancelled prompt with an internal error',
    judges: 'agent',
    scenario: 'cancel-request/pending',
    breaks: 'R172',
    defect: () => ({
      says: (message) => [message['id'] === 'turnwire-prompt' ? errorLine(message, -32_603) : message],
    }),
  },
  {
    name: 'confuses its own request ids with those of its client',
    judges: 'agent',
    scenario: 'cancel-request/other-direction',
    breaks: 'R177',
    defect: () => ({
      hears: (message) => [
        message['method'] === '$/cancel_request' ? { ...message, params: { requestId: 'turnwire-prompt' } } : message,
      ],
    }),
  },
  {
    name: 'leaves its requests open after a cancel',
    judges: 'agent',
    scenario: 'cancel-request/cascade',
    breaks: 'R176',
    defect: () => ({ says: (message) => (message['method'] === '$/cancel_request' ? [] : [message]) }),
  },
];
