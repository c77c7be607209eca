import { TurnwireError } from '@turnwire/protocol';
import { terminalLoginCommand } from '../../launch/terminal-login-command.ts';
import { isTerminalMethod } from '../../../agent/login.ts';
import { describeExit } from '../../launch/agent-process.ts';
import { commandLine, commandWords } from '../../launch/command-words.ts';
import { within } from '@turnwire/machine/waits';
import type { Session } from '../../../session/session.ts';
import type { Examined } from '../examine-options.ts';
import { commandInAdvice, counted, type Finding, notReached, since } from '../finding.ts';
import { reasonOf, rethrowIfEnded, wantsLogin } from '../reason.ts';
import type { Subject } from '../subject.ts';

/** The time to wait for the commands after the creation of a session, in milliseconds. Agents announce them at once or never. */
const commandsWait = 300;

/**
 * Creates a session, and reports whether that requires a login.
 * @returns the session; undefined if the agent refused
 */
export async function* openSession(subject: Subject, options: Examined): AsyncGenerator<Finding, Session | undefined> {
  const { cwd, signal } = options;
  const began = performance.now();
  const commands = deferred();
  try {
    const session = await subject.newSession({
      cwd,
      signal,
      onUpdate: ({ sessionUpdate }) => {
        if (sessionUpdate === 'available_commands_update') commands.resolve();
      },
    });
    const milliseconds = since(began);
    await within(commandsWait, commands.promise);
    yield noLogin(subject);
    yield opened(session, milliseconds);
    return session;
  } catch (error) {
    rethrowIfEnded(error, signal);
    if (wantsLogin(error)) {
      yield loginWanted(subject, options, error.message);
      yield notReached('session', 'not reached without a login');
    } else {
      yield notReached('login', 'unknown without a session');
      yield failed(error, subject, since(began));
    }
    return undefined;
  }
}

function noLogin({ agent: { authMethods } }: Subject): Finding {
  const names = authMethods.map(({ id, name }) => name || id);
  const offered = names.length > 0 ? ` It offers ${names.join(', ')}.` : '';
  const details = { logins: authMethods.map(({ id }) => id) };
  return { layer: 'login', verdict: 'ok', message: `It creates a session without a login.${offered}`, details };
}

function loginWanted(subject: Subject, { command, env }: Examined, reason: string): Finding {
  const { authMethods } = subject.agent;
  const ways = authMethods.map((method) => {
    const title = `${method.name || method.id} (${method.id})`;
    if (!isTerminalMethod(method)) return `${title}: the agent does it itself when a client requests it`;
    const { words, set } = terminalLoginCommand(command, method, { env });
    const withVariables = set.length > 0 ? `, with ${set.join(', ')} set as it requests` : '';
    return `${title}: run in a terminal${withVariables}:${commandInAdvice(commandLine(commandWords(words)))}`;
  });
  const advice =
    ways.length > 0
      ? `Log in once, then examine it again. Its login methods:\n${ways.map((way) => `- ${way}`).join('\n')}`
      : 'It offers no login method. Log in with its own program, or pass the key it needs as a variable.';
  return {
    layer: 'login',
    verdict: 'warning',
    message: `It requires a login before it creates a session: ${reason.replace(/\.$/, '')}.`,
    advice,
    details: { logins: authMethods.map(({ id, name, type }) => ({ id, name, type: type ?? 'agent' })) },
  };
}

function opened({ modes, configOptions, commands }: Session, milliseconds: number): Finding {
  const modeIds = modes?.available.map(({ id }) => id) ?? [];
  const optionIds = configOptions?.list.map(({ id }) => id) ?? [];
  const parts = [
    ...(modeIds.length > 0 ? [`modes ${modeIds.join(', ')}`] : []),
    ...(optionIds.length > 0 ? [`options ${optionIds.join(', ')}`] : []),
    ...(commands.length > 0 ? [counted(commands.length, 'command')] : []),
  ];
  return {
    layer: 'session',
    verdict: 'ok',
    message: `It creates a session${parts.length > 0 ? `, with ${parts.join('; ')}` : ''}.`,
    milliseconds,
    details: {
      modes: modeIds,
      ...(modes && { mode: modes.current }),
      options: optionIds,
      commands: commands.map(({ name }) => name),
    },
  };
}

function failed(error: unknown, subject: Subject, milliseconds: number): Finding {
  const isLate = error instanceof TurnwireError && error.code === 'timeout';
  const { exit } = subject;
  const stderr = (subject.process?.stderr ?? '').trimEnd().slice(-2_000);
  const seconds = subject.timeouts.newSession / 1000;
  return {
    layer: 'session',
    verdict: 'failed',
    message: isLate
      ? `It did not answer session/new within ${seconds} s.`
      : `It did not create a session: ${exit ? `it ${describeExit(exit)}` : reasonOf(error)}.`,
    advice: isLate ? lateAdvice : refusedAdvice,
    milliseconds,
    details: { ...(exit && { exit }), ...(stderr !== '' && { stderr }) },
  };
}

const lateAdvice =
  'It may be waiting for something, such as a login, the network or a server. Run it by itself once, or give it more time.';
const refusedAdvice =
  'Follow its message. If that does not help, run its own program in this folder once: it may need to be set up, or to trust the folder.';

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
