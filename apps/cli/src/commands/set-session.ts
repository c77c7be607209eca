import { exitCodes } from '../exit-codes.ts';
import { complain } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { report } from './report.ts';
import { existingSession, link } from './session-place.ts';

const listener = { onRemark: complain };

/** Sets the mode of a session. Resolves with the exit code. */
export async function setMode(modeId: string, session: string | undefined, options: GlobalOptions): Promise<number> {
  const place = await existingSession(options, session);
  await using host = await link(place, options, { listener });
  await host.setMode(modeId);
  report(options, { action: 'mode_set', recordId: place.record.id, modeId }, () => `mode set: ${modeId}`);
  return exitCodes.ok;
}

/** An option and its new value. */
export interface Setting {
  readonly key: string;
  readonly value: string;
}

/** Sets an option of a session. Resolves with the exit code. */
export async function setOption(
  { key, value }: Setting,
  session: string | undefined,
  options: GlobalOptions,
): Promise<number> {
  const place = await existingSession(options, session);
  await using host = await link(place, options, { listener });
  await host.set(key, value);
  report(
    options,
    { action: 'config_set', recordId: place.record.id, configId: key, value },
    () => `set ${key}: ${value}`,
  );
  return exitCodes.ok;
}
