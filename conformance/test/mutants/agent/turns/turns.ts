import type { Mutant } from '../../mutant-line.ts';
import { askingMutants } from './asking.ts';
import { cancelMutants } from './cancel.ts';
import { filesAndTerminalsMutants } from './files-and-terminals.ts';
import { permissionMutants } from './permission.ts';
import { promptTurnMutants } from './prompt-turn.ts';
import { toolCallsMutants } from './tool-calls.ts';

export const turnsMutants: readonly Mutant[] = [
  ...promptTurnMutants,
  ...cancelMutants,
  ...toolCallsMutants,
  ...permissionMutants,
  ...filesAndTerminalsMutants,
  ...askingMutants,
];
