import { framingMutants, initializeMutants, loginMutants } from './client/framing.ts';
import { hostMutants } from './client/host.ts';
import { lastingMutants } from './client/lasting.ts';
import { losingMutants, misbehavingMutants } from './client/misbehaving.ts';
import { remoteClientMutants } from './client/remote.ts';
import { sessionsMutants, turnsMutants } from './client/sessions.ts';
import { v2ClientMutants } from './client/v2.ts';
import type { ClientMutant } from './client-mutant.ts';

/** Clients with one defect each. */
export const clientMutants: readonly ClientMutant[] = [
  ...framingMutants,
  ...initializeMutants,
  ...loginMutants,
  ...sessionsMutants,
  ...turnsMutants,
  ...hostMutants,
  ...misbehavingMutants,
  ...losingMutants,
  ...remoteClientMutants,
  ...remoteClientMutants.map((mutant) => ({ ...mutant, version: 2 as const })),
  ...v2ClientMutants,
  ...lastingMutants,
];
