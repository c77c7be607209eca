import { gatewayError } from '@turnwire/gateway';
import { commandName } from '../command-name.ts';
import { type Draft, contentOf } from '../driving/prompt-content.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, warn, explain } from '../failure.ts';
import { runTurn } from '../sessions/run-turn.ts';
import { chooseModel } from '../sessions/session-port.ts';
import { type PromptSettings, promptMeta } from '../sessions/session-client.ts';
import type { GlobalOptions } from '../options.ts';
import { refuseOtherPlace } from '../session-places/in-place.ts';
import { openScreen } from '../output/turn-screen.ts';
import { requireEnforceablePolicy } from '../permission/require-enforceable-policy.ts';
import type { PermissionSettings } from '../permission/permission-settings.ts';
import type { HostConnection } from '../session-host/host-connection.ts';
import { OwnTurn } from '../session-host/own-turn.ts';
import { Stopping } from '../stopping.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { exec } from './exec.ts';
import { ensuredSession } from './sessions/new-session.ts';
import { report } from './report.ts';
import { existingSession, connectTo, type LocatedSession } from './located-session.ts';

/** A prompt for a session. */
export interface PromptArguments {
  readonly draft: Draft;
  /** The name of the session. Default: the session of the folder. */
  readonly session?: string | undefined;
  /** Whether to wait for the end of the turn. */
  readonly wait: boolean;
  /** Whether a new session runs the prompt if the folder has no session. */
  readonly isBare?: boolean;
}

/** Runs a turn of a session and prints it, or only queues it. Resolves with the exit code; rejects with the reason of a failure. */
export async function prompt(given: PromptArguments, options: GlobalOptions): Promise<number> {
  // A named session that does not exist yet begins in the place that the command line asks for.
  if (given.session !== undefined && options.place && options.place.kind !== options.config.place)
    await ensuredSession({ name: given.session }, options);
  const found = await existingSession(options, given.session).catch((error: unknown) => {
    if (given.isBare && error instanceof CommandError && error.exitCode === exitCodes.noSession) return undefined;
    throw error;
  });
  if (!found) {
    warn(
      `a new session with ${cleanLine(options.agent ?? options.agentName)}; to go on with it: ${commandName()} --continue`,
    );
    return exec({ draft: given.draft, configOptions: [] }, options);
  }
  await using place = found;
  await refuseOtherPlace(place.record.cwd, options);
  const permission = permissionIn(place, options);
  requireEnforceablePolicy(place.agent.differences, permission, place.record.cwd);
  const settings: PromptSettings = { ...options, permission };
  return given.wait
    ? await runAndPrint(place, { given, options, settings })
    : await enqueue(place, { given, options, settings });
}

interface Prompting {
  readonly given: PromptArguments;
  readonly options: GlobalOptions;
  readonly settings: PromptSettings;
}

/** Prints the turn until its end. A signal that stops this command cancels the turn, and the command waits for its end. */
async function runAndPrint(place: LocatedSession, { given, options, settings }: Prompting): Promise<number> {
  using stopping = new Stopping(options.timeout);
  const screen = await openScreen(options, stopping);
  const own = new OwnTurn(screen);
  let host: HostConnection | undefined;
  let exitCode: number = exitCodes.error;
  try {
    host = await connectTo(place, options, { settings, screen, own, wakes: true, signal: stopping.signal });
    own.begin(host);
    await chooseModel(host, options.model);
    const content = await contentOf(given.draft, host.agent, placeOf(place));
    exitCode = await runTurn(host, content, { stopping, end: () => screen.end() });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (!stopping.reason) warn(host ? host.explain(error) : explain(gatewayError(error)));
  } finally {
    await host?.[Symbol.asyncDispose]();
  }
  if (stopping.reason?.message !== undefined) warn(stopping.reason.message);
  return stopping.reason?.exitCode ?? exitCode;
}

/** Queues the prompt at the session host, and leaves the turn to it. */
async function enqueue(place: LocatedSession, { given, options, settings }: Prompting): Promise<number> {
  const unattended = { ...settings, turnLimit: options.timeout };
  await using host = await connectTo(place, options, { settings: unattended, wakes: true });
  await chooseModel(host, options.model);
  const prompt = await contentOf(given.draft, host.agent, placeOf(place));
  const meta = { turnwire: promptMeta(unattended, false) };
  const { turnId } = await host.remote.ask('_turnwire/enqueue', { prompt: [...prompt], _meta: meta });
  report(
    options,
    { action: 'prompt_queued', recordId: place.record.id, requestId: turnId },
    ({ requestId }) => `queued ${requestId}`,
  );
  return exitCodes.ok;
}

function placeOf({ record: { cwd, settings } }: LocatedSession): {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[] | undefined;
} {
  return { cwd, additionalDirectories: settings.additionalDirectories };
}

/** A session allows only the tools that it was created with, unless the prompt names others. */
function permissionIn({ record }: LocatedSession, { permission }: GlobalOptions): PermissionSettings {
  const { allowedTools } = record.settings;
  return allowedTools === undefined ? permission : { allowedTools: allowedTools.join(','), ...permission };
}
