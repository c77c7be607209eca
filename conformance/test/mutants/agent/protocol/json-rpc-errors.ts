import type { Mutant } from '../../mutant-line.ts';
import { erring } from './said.ts';

/** An agent that answers everything with the same error. */
const alwaysInternal = erring((error) => ({ ...error, code: -32_603 }));

export const jsonRpcErrorMutants: readonly Mutant[] = [
  {
    name: 'ignores lines that it cannot parse',
    judges: 'agent',
    scenario: 'json-rpc/parse-error',
    breaks: 'R021',
    defect: () => ({ hearsNoise: () => [] }),
  },
  {
    name: 'exits on a line that it cannot parse',
    judges: 'agent',
    scenario: 'json-rpc/parse-error',
    breaks: 'R368',
    defect: ({ end }) => ({
      hearsNoise: (text) => {
        end();
        return [text];
      },
    }),
  },
  {
    name: 'ignores invalid requests',
    judges: 'agent',
    scenario: 'json-rpc/invalid-request',
    breaks: 'R021',
    defect: alwaysInternal,
  },
  {
    name: 'answers unknown methods with an internal error',
    judges: 'agent',
    scenario: 'json-rpc/unknown-method',
    breaks: 'R284',
    defect: alwaysInternal,
  },
  {
    name: 'answers wrong parameters with an internal error',
    judges: 'agent',
    scenario: 'json-rpc/bad-params',
    breaks: 'R021',
    defect: alwaysInternal,
  },
  {
    name: 'sends errors with empty messages',
    judges: 'agent',
    scenario: 'errors/wrong-types',
    breaks: 'R023',
    defect: erring((error) => ({ ...error, message: '' })),
  },
];
