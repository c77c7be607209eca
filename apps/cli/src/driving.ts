import type { LaunchOptions } from '@agentwire/client';
import type { Implementation } from '@agentwire/protocol';
import { version } from './version.ts';

/** How long an agent may take to stop when asked, in milliseconds. */
export const cancelTimeout = 5_000;
/** How long it may take to take back a request it has not answered. */
const takeBackTimeout = 500;

/** The limits of every agent we drive. */
export const driving: Pick<LaunchOptions, 'timeouts' | 'peer'> = {
  timeouts: { cancel: cancelTimeout },
  peer: { limits: { cancel: takeBackTimeout } },
};

/** What we tell an agent about us. */
export function clientInfo(): Implementation {
  return { name: 'agentwire', title: 'Agentwire', version: version() };
}
