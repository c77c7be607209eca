import { randomUUID } from 'node:crypto';
import { exitCodes } from '../exit-codes.ts';
import { complain } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { openScreen, type TurnScreen } from '../output/turn-screen.ts';
import type { HostLink, HostListener } from '../session-host/host-link.ts';
import type { PromptOrder, PromptOutcome } from '../session-host/host-protocol.ts';
import { requireEnforceablePolicy } from '../permission/require-enforceable-policy.ts';
import type { PermissionSettings } from '../permission/permission-settings.ts';
import { Stopping } from '../stopping.ts';
import type { Draft } from '../driving/prompt-content.ts';
import { report } from './report.ts';
import { existingSession, link, type SessionPlace } from './session-place.ts';
import { remarkOn } from '../output/stop-reasons.ts';

/** A prompt for a session. */
export interface PromptGiven {
  readonly draft: Draft;
  /** The session's name; absent: the one of the folder. */
  readonly session?: string | undefined;
  /** Wait until the turn is over. */
  readonly wait: boolean;
}

/** Runs a turn of a session and prints it, or only queues it. Resolves with the exit code; rejects with the reason of a failure. */
export async function prompt(given: PromptGiven, options: GlobalOptions): Promise<number> {
  const place = await existingSession(options, given.session);
  const permission = permissionIn(place, options);
  const { agent, record } = place;
  requireEnforceablePolicy(agent.differences, permission, record.cwd);
  using stopping = new Stopping(given.wait ? options.timeout : undefined);
  const screen = openScreen(options, stopping);
  const order = { ...orderOf(given, options, screen), permission };
  await using host = await link(place, options, { listener: listenerOf(screen) });
  if (!given.wait) {
    await host.prompt(order);
    report(
      options,
      { action: 'prompt_queued', recordId: place.record.id, requestId: order.promptId },
      ({ requestId }) => `queued ${requestId}`,
    );
    return exitCodes.ok;
  }
  return await wait(host, order, { screen, stopping });
}

/** The tools a session was created with are all that may be used in it, unless the prompt names its own. */
function permissionIn({ record }: SessionPlace, { permission }: GlobalOptions): PermissionSettings {
  const { allowedTools } = record.settings;
  return allowedTools === undefined ? permission : { allowedTools: allowedTools.join(','), ...permission };
}

/** Follows the turn to its end. A signal that stops this command cancels the turn and waits for it. */
async function wait(
  host: HostLink,
  order: PromptOrder,
  { screen, stopping }: { readonly screen: TurnScreen; readonly stopping: Stopping },
): Promise<number> {
  const cancel = (): void => void host.cancel(order.promptId).catch(() => undefined);
  stopping.signal.addEventListener('abort', cancel, { once: true });
  const turn = host.prompt(order);
  if (stopping.reason) cancel();
  try {
    const outcome = await turn;
    screen.end();
    return exitCodeOf(outcome, stopping);
  } catch (error) {
    screen.end();
    if (order.failsIfLost) {
      // A session host that could not restore the session never will: the next command starts another one, which may create it anew.
      const status = await host.status().catch(() => undefined);
      if (status?.state === 'dead') await host.end().catch(() => undefined);
    }
    if (!stopping.reason) throw error;
    return exitCodeOf(undefined, stopping);
  } finally {
    stopping.signal.removeEventListener('abort', cancel);
  }
}

function exitCodeOf(outcome: PromptOutcome | undefined, { reason }: Stopping): number {
  const message = reason ? reason.message : (outcome?.stopped?.message ?? remarkOn(outcome?.stopReason));
  if (message !== undefined) complain(message);
  if (reason) return reason.exitCode;
  if (outcome?.stopped) return stoppedCodes[outcome.stopped.reason];
  return outcome?.isDenied ? exitCodes.denied : exitCodes.ok;
}

const stoppedCodes = {
  'max-cost': exitCodes.tooExpensive,
  timeout: exitCodes.timeout,
  'cannot-ask': exitCodes.denied,
} as const;

function orderOf(
  { draft, wait: isAwaited }: PromptGiven,
  options: GlobalOptions,
  screen: TurnScreen,
): Omit<PromptOrder, 'permission'> {
  const { timeout, maxCost, promptRetries: retries, model } = options;
  return {
    promptId: randomUUID(),
    draft,
    wants: options.format === 'json' ? 'frames' : 'updates',
    canAsk: isAwaited && screen.ask !== undefined,
    isQueuedOnly: !isAwaited,
    failsIfLost: options.ifLost === 'fail',
    ...(timeout !== undefined && !isAwaited && { timeout }),
    ...(maxCost !== undefined && { maxCost }),
    ...(retries !== undefined && { retries }),
    ...(model !== undefined && { model }),
    ...(options.verbose && { isVerbose: true }),
  };
}

function listenerOf(screen: TurnScreen): HostListener {
  return {
    onFrame: (frame) => screen.frame(frame),
    onUpdate: (update) => screen.update(update),
    onRemark: complain,
    ...(screen.ask && { onAsk: screen.ask }),
    ...(screen.elicit && { onElicit: screen.elicit }),
  };
}
