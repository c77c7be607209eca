import { asMessage, type RawMessage } from '../../../../src/wire/messages.ts';
import type { Defect, Mutant } from '../../mutant-line.ts';
import { asks, choosing, takes } from './tampered.ts';

const method = 'session/request_permission';

export const permissionMutants: readonly Mutant[] = [
  {
    name: 'acts after a rejection',
    judges: 'agent',
    scenario: 'permission/rejected',
    breaks: 'R201',
    defect: takesForYes(),
  },
  {
    name: 'gives two options the same id',
    judges: 'agent',
    scenario: 'permission/rejected',
    breaks: 'R196',
    defect: asks(method, (params) => ({ ...params, options: doubled(params['options']) })),
  },
  {
    name: 'acts after a cancelled permission request',
    judges: 'agent',
    scenario: 'permission/cancelled',
    breaks: 'R201',
    defect: takesForYes(),
  },
  {
    name: 'treats an option that it never offered as approval',
    judges: 'agent',
    scenario: 'permission/unknown-option',
    breaks: 'R200',
    defect: takesForYes(),
  },
  {
    name: 'treats an error as approval',
    judges: 'agent',
    scenario: 'permission/error',
    breaks: 'R202',
    defect: takesForYes(),
  },
  {
    name: 'forgets permanent permissions',
    judges: 'agent',
    scenario: 'permission/always',
    breaks: 'R203',
    defect: takes(method, (answer, asked) => choosing('allow_once', answer, asked)),
  },
  {
    name: 'forgets permanent rejections',
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
