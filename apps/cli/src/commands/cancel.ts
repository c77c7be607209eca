import { exitCodes } from '../exit-codes.ts';
import type { GlobalOptions } from '../options.ts';
import { report } from './report.ts';
import { existingSession, linkIfThere } from './session-place.ts';

/** Cancels the running turn of a session. Resolves with the exit code, 0 also if no turn runs. */
export async function cancel(session: string | undefined, options: GlobalOptions): Promise<number> {
  const place = await existingSession(options, session);
  await using host = await linkIfThere(place, options);
  const cancelled = (await host?.cancel()) ?? false;
  report(options, { action: 'cancel_result', recordId: place.record.id, cancelled }, () =>
    cancelled ? 'cancel requested' : 'nothing to cancel',
  );
  return exitCodes.ok;
}
