import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import type { Defect, Mutant } from '../../mutant-line.ts';
import { asks, choosing, takes } from './tampered.ts';

const method = 'session/request_permission';

export const permissionMutants: readonly Mutant[] = [
  {
    name: 'does what was rejected',
    judges: 'agent',
    scenario: 'permission/rejected',
    breaks: 'R201',
    defect: takesForYes(),
  },
  {
    name: 'gives two options one id',
    judges: 'agent',
    scenario: 'permission/rejected',
    breaks: 'R196',
    defect: asks(method, (params) => ({ ...params, options: doubled(params['options']) })),
  },
  {
    name: 'does what was asked in vain',
    judges: 'agent',
    scenario: 'permission/cancelled',
    breaks: 'R201',
    defect: takesForYes(),
  },
  {
    name: 'takes an option that it never offered for a yes',
    judges: 'agent',
    scenario: 'permission/unknown-option',
    breaks: 'R200',
    defect: takesForYes(),
  },
  {
    name: 'takes an error for a yes',
    judges: 'agent',
    scenario: 'permission/error',
    breaks: 'R202',
    defect: takesForYes(),
  },
  {
    name: 'forgets what was allowed always',
    judges: 'agent',
    scenario: 'permission/always',
    breaks: 'R203',
    defect: takes(method, (answer, asked) => choosing('allow_once', answer, asked)),
  },
  {
    name: 'forgets what was rejected for ever',
    judges: 'agent',
    scenario: 'permission/never',
    breaks: 'R204',
    defect: takes(method, (answer, asked) => choosing('reject_once', answer, asked)),
  },
];

function takesForYes(): Defect {
  return takes(method, (answer, asked) => choosing('allow_once', answer, asked));
}

function doubled(options: unknown): readonly RawMessage[] {
  const all = Array.isArray(options) ? options.map((option) => asMessage(option) ?? {}) : [];
  return all.map((option) => ({ ...option, optionId: all[0]?.['optionId'] }));
}
