import type { Mutant } from '../../mutant-line.ts';
import { keptSessionMutants } from './kept-sessions.ts';
import { serverMutants } from './servers.ts';
import { settingsMutants } from './settings.ts';
import { setUpMutants } from './set-up.ts';
import { sharedMutants } from './shared.ts';
import { unstableMutants } from './unstable.ts';

export const sessionsMutants: readonly Mutant[] = [
  ...setUpMutants,
  ...serverMutants,
  ...keptSessionMutants,
  ...settingsMutants,
  ...sharedMutants,
  ...unstableMutants,
];
