import { exitCodes } from '../exit-codes.ts';
import type { GlobalOptions } from '../options.ts';
import { chooseOption } from '../sessions/session-port.ts';
import { report } from './report.ts';
import { connectTo, existingSession } from './located-session.ts';

/** Sets the mode of a session. Resolves with the exit code. */
export async function setMode(modeId: string, session: string | undefined, options: GlobalOptions): Promise<number> {
  await using located = await existingSession(options, session);
  await using host = await connectTo(located, options, { wakes: true });
  if (!host.session.modes) throw new Error('the agent has no modes');
  await host.session.modes.set(modeId);
  report(options, { action: 'mode_set', recordId: located.record.id, modeId }, () => `mode set: ${modeId}`);
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
  await using located = await existingSession(options, session);
  await using host = await connectTo(located, options, { wakes: true });
  await chooseOption(host, key, value);
  report(
    options,
    { action: 'config_set', recordId: located.record.id, configId: key, value },
    () => `set ${key}: ${value}`,
  );
  return exitCodes.ok;
}
