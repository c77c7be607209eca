import { type AgentCapabilities, errorCodes, TurnwireError, ProtocolError } from '@turnwire/protocol';
import { describeExit } from '../../launch/agent-process.ts';
import { commandLine, commandWords } from '../../launch/command-words.ts';
import { within } from '@turnwire/machine/waits';
import type { Examined } from '../examine-options.ts';
import { commandInAdvice, counted, type Finding, since } from '../finding.ts';
import { answeredWith, reasonOf, rethrowIfEnded } from '../reason.ts';
import type { Subject } from '../subject.ts';

/** The maximum length of a quotation from its stderr, in characters. */
const quoted = 2_000;
/** The time to wait for the exit of a process whose stdout has closed, in milliseconds. */
const exitWait = 1_000;

/**
 * Sends `initialize`.
 * @returns whether it succeeded
 */
export async function* initializeAgent(subject: Subject, options: Examined): AsyncGenerator<Finding, boolean> {
  const { clientInfo, signal } = options;
  const began = performance.now();
  const error = await subject.agent.initialize({ clientInfo, signal }).then(
    () => undefined,
    (reason: unknown) => reason ?? new Error('it failed for no reason'),
  );
  rethrowIfEnded(error, signal);
  const noise = subject.watch.takeNoise();
  // The stdout of an agent on another machine is invisible.
  if (subject.process || noise.lines > 0) yield noiseFinding(noise, 'At the start');
  if (error === undefined) yield answered(subject, since(began));
  else yield await failure(error, { subject, options, isNoisy: noise.lines > 0, milliseconds: since(began) });
  subject.watch.layer = 'session';
  return error === undefined;
}

/** A finding for the noise since the last call, if any. */
export function* noiseSoFar({ watch }: Subject, when: string): Generator<Finding, undefined> {
  const noise = watch.takeNoise();
  if (noise.lines > 0) yield noiseFinding(noise, when);
}

function noiseFinding({ lines, bytes, excerpt }: ReturnType<Subject['watch']['takeNoise']>, when: string): Finding {
  if (lines === 0) return { layer: 'noise', verdict: 'ok', message: 'Its stdout contains only the protocol.' };
  const what = `${counted(lines, 'line')} on its stdout ${lines === 1 ? 'is' : 'are'} not the protocol`;
  return {
    layer: 'noise',
    verdict: 'warning',
    message: `${when}, ${what}. It begins: ${excerpt.trim()}`,
    advice: 'Other output belongs on stderr. Report it to its authors, or look for an option that turns it off.',
    details: { lines, bytes, excerpt },
  };
}

function answered({ agent }: Subject, milliseconds: number): Finding {
  const { info, capabilities, authMethods, peer } = agent;
  const { protocolVersion } = peer.remote ?? {};
  const who = info ? [info.title ?? info.name, info.version].filter(Boolean).join(' ') : 'An agent without a name';
  const abilities = abilitiesOf(capabilities);
  return {
    layer: 'initialize',
    verdict: 'ok',
    message: `${who} speaks protocol version ${protocolVersion}.${abilities.length > 0 ? ` It offers ${abilities.join(', ')}.` : ''}`,
    milliseconds,
    details: { protocolVersion, agent: info, capabilities, logins: authMethods.map(({ id }) => id) },
  };
}

/** The capabilities it offers besides turns, in the protocol's words. */
function abilitiesOf(capabilities: AgentCapabilities): readonly string[] {
  const { loadSession, sessionCapabilities = {}, promptCapabilities = {}, mcpCapabilities = {}, auth } = capabilities;
  const named = (prefix: string, given: object | null): readonly string[] =>
    Object.entries(given ?? {}).flatMap(([key, value]) =>
      key !== '_meta' && value !== false && value !== null && value !== undefined ? [`${prefix}${key}`] : [],
    );
  return [
    ...(loadSession === true ? ['session/load'] : []),
    ...named('session/', sessionCapabilities),
    ...named('prompts with ', promptCapabilities),
    ...named('MCP over ', mcpCapabilities),
    ...(auth?.logout ? ['logout'] : []),
  ];
}

interface Failed {
  readonly subject: Subject;
  readonly options: Examined;
  readonly isNoisy: boolean;
  readonly milliseconds: number;
}

async function failure(error: unknown, failed: Failed): Promise<Finding> {
  const { subject, options, milliseconds } = failed;
  const { process } = subject;
  if (process === undefined) return remoteFailure(error, failed);
  const exit = isClosed(error) ? await within(exitWait, process.exited) : undefined;
  const stderr = process.stderr.trimEnd().slice(-quoted);
  const line = commandLine(commandWords(options.command));
  return {
    layer: 'initialize',
    verdict: 'failed',
    message: describeFailure(error, exit ? describeExit(exit) : 'closed its stdout', failed),
    advice: adviceFor(error, { ...failed, line, stderr }),
    milliseconds,
    details: { ...(exit && { exit }), ...(stderr !== '' && { stderr }) },
  };
}

/** The finding for a remote agent. The network path works, so the cause is the agent or a proxy in front of it. */
function remoteFailure(error: unknown, failed: Failed): Finding {
  const isLost = error instanceof TurnwireError && error.code !== 'timeout' && error.code !== 'version-mismatch';
  return {
    layer: 'initialize',
    verdict: 'failed',
    message: isLost ? `It did not answer: ${reasonOf(error)}.` : describeFailure(error, '', failed),
    advice: isLost
      ? 'The server was reached, but its agent failed. Look at the log of the server.'
      : adviceFor(error, { ...failed, line: failed.options.command.join(' '), stderr: '' }),
    milliseconds: failed.milliseconds,
  };
}

function isClosed(error: unknown): boolean {
  return error instanceof TurnwireError && error.code === 'connection-closed';
}

function describeFailure(error: unknown, exit: string, { subject, isNoisy }: Failed): string {
  if (isClosed(error)) return `It ${exit} before it answered initialize.`;
  if (error instanceof ProtocolError && subject.watch.isEcho) return 'It echoes its input: it is not an agent.';
  if (error instanceof ProtocolError) return `It refused initialize: ${answeredWith(error)}.`;
  if (!(error instanceof TurnwireError) || error.code !== 'timeout') return `${reasonOf(error).replace(/\.$/, '')}.`;
  const seconds = subject.timeouts.initialize / 1000;
  return `It did not answer initialize within ${seconds} s${isNoisy ? ', but printed something else' : ''}.`;
}

/** The advice for a command that does not answer, and for one that may only be slow. */
function startAdvice(line: string): { readonly mode: string; readonly slow: string } {
  const command = commandInAdvice(line);
  const check = 'Check that this command starts it as an agent';
  // The command already requests the agent mode.
  if (/(?:^|[\s/-])acp(?:\s|$)/i.test(line))
    return { mode: `${check}:${command}`, slow: `Run it yourself to see what it waits for:${command}` };
  const mode = `${check}; many programs need an argument such as acp or --acp:${command}`;
  return { mode, slow: mode };
}

function adviceFor(error: unknown, given: Failed & { readonly line: string; readonly stderr: string }): string {
  const { isNoisy, line, stderr, subject } = given;
  const { mode, slow } = startAdvice(line);
  if (isClosed(error))
    return stderr === '' ? mode : `Follow its message on stderr, or run it yourself:${commandInAdvice(line)}`;
  const unknown: readonly number[] = [errorCodes.invalidRequest, errorCodes.methodNotFound];
  if (error instanceof ProtocolError && (unknown.includes(error.code) || subject.watch.isEcho)) return mode;
  if (error instanceof ProtocolError)
    return 'Log in with its own program if it requires a login; otherwise report it to its authors.';
  if (!(error instanceof TurnwireError)) return 'Report it to its authors.';
  if (error.code === 'version-mismatch') return 'Install a version of the agent that speaks protocol version 1.';
  if (error.code === 'timeout') return isNoisy ? mode : `If it is only slow, give it more time. ${slow}`;
  return 'Report it to its authors: this client needs an answer that conforms to the protocol.';
}
