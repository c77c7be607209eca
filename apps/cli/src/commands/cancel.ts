import { exitCodes } from '../exit-codes.ts';
import type { GlobalOptions } from '../options.ts';
import type { HostConnection } from '../session-host/host-connection.ts';
import { report } from './report.ts';
import { connectIfThere, existingSession } from './located-session.ts';

/** Cancels the running turn of a session. Resolves with the exit code, which is 0 even if no turn runs. */
export async function cancel(session: string | undefined, options: GlobalOptions): Promise<number> {
  await using located = await existingSession(options, session);
  await using host = await connectIfThere(located, options);
  const cancelled = host !== undefined && (await cancelRunning(host));
  report(options, { action: 'cancel_result', recordId: located.record.id, cancelled }, () =>
    cancelled ? 'cancel requested' : 'nothing to cancel',
  );
  return exitCodes.ok;
}

async function cancelRunning(host: HostConnection): Promise<boolean> {
  const { state } = await host.remote.ask('_turnwire/status', {});
  if (state.name !== 'working' && state.name !== 'cancelling') return false;
  await host.agent.peer.notify('session/cancel', { sessionId: host.session.id });
  return true;
}
