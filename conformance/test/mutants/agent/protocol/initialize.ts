import type { Mutant } from '../../mutant-line.ts';
import { asMessage } from '../../../../src/wire/messages.ts';

export const initializeMutants: readonly Mutant[] = [
  {
    name: 'has a date for a version',
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
];
