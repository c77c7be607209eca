import type { Mutant } from '../../mutant-line.ts';
import { authenticationMutants } from './authentication.ts';
import { cancelRequestMutants } from './cancel-request.ts';
import { capabilityMutants } from './capabilities.ts';
import { framingMutants } from './framing.ts';
import { initializeMutants } from './initialize.ts';
import { jsonRpcErrorMutants } from './json-rpc-errors.ts';
import { shutdownMutants } from './shutdown.ts';

export const protocolMutants: readonly Mutant[] = [
  ...framingMutants,
  ...jsonRpcErrorMutants,
  ...initializeMutants,
  ...capabilityMutants,
  ...authenticationMutants,
  ...cancelRequestMutants,
  ...shutdownMutants,
];
