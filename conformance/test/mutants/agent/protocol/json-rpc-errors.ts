import type { Mutant } from '../../mutant-line.ts';
import { erring } from './said.ts';

/** An agent that has one error for everything. */
const alwaysInternal = erring((error) => ({ ...error, code: -32_603 }));

export const jsonRpcErrorMutants: readonly Mutant[] = [
  {
    name: 'passes over what it cannot read',
    judges: 'agent',
    scenario: 'json-rpc/parse-error',
    breaks: 'R021',
    defect: () => ({ hearsNoise: () => [] }),
  },
  {
    name: 'ends with what it cannot read',
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
    name: 'calls no request invalid',
    judges: 'agent',
    scenario: 'json-rpc/invalid-request',
    breaks: 'R021',
    defect: alwaysInternal,
  },
  {
    name: 'has an internal error for methods it does not have',
    judges: 'agent',
    scenario: 'json-rpc/unknown-method',
    breaks: 'R284',
    defect: alwaysInternal,
  },
  {
    name: 'has an internal error for wrong parameters',
    judges: 'agent',
    scenario: 'json-rpc/bad-params',
    breaks: 'R021',
    defect: alwaysInternal,
  },
  {
    name: 'says nothing in its errors',
    judges: 'agent',
    scenario: 'errors/wrong-types',
    breaks: 'R023',
    defect: erring((error) => ({ ...error, message: '' })),
  },
];
