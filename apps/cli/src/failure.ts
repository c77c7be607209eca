import type { Agent } from '@turnwire/client';
import { errorText } from '@turnwire/client/error-text';
import { systemFailure } from '@turnwire/machine';
import { TurnwireError, errorCodes, ProtocolError } from '@turnwire/protocol';
import { cleanText } from './terminal/clean-text.ts';
import { stderr } from './terminal/output.ts';

/** A command that cannot continue, with its exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

let areJson = false;

/** Whether messages on stderr are JSON from now on, one object per line. */
export function warnAsJson(isWanted: boolean): void {
  areJson = isWanted;
}

/** Prints a message to stderr. */
export function warn(message: string): void {
  const text = cleanText(message);
  if (areJson) stderr.printJson(JSON.stringify({ message: text }));
  else stderr.printLine(`turnwire: ${text}`);
}

/** The message of an error with advice, without control sequences an agent may have put into it. */
export function explain(error: unknown, agent?: Pick<Agent, 'authMethods'>): string {
  return cleanText(explanation(error, agent));
}

function explanation(error: unknown, agent: Pick<Agent, 'authMethods'> | undefined): string {
  if (!(error instanceof ProtocolError)) return systemFailure(error) ?? errorText(error);
  if (error.code === errorCodes.authenticationRequired) return loginNeeded(error, agent);
  return `the agent answered with an error: ${errorText(error)}`;
}

function loginNeeded(error: ProtocolError, agent: Pick<Agent, 'authMethods'> | undefined): string {
  const ways = agent?.authMethods.map(({ name }) => name).join(', ');
  const offered = ways ? ` It offers: ${ways}.` : '';
  return `the agent requires a login (${errorText(error)}).${offered} Log in with the agent's own command, or pass its key on with --env NAME.`;
}

/** Where to read about an agent that could not be started, if it was named and is known; else an empty text. */
export function whereFrom(error: unknown, options: { readonly agent?: string; readonly agentName: string }): string {
  const isLaunch = error instanceof TurnwireError && error.code === 'launch-failed';
  if (!isLaunch || options.agent !== undefined) return '';
  return `. To see where it comes from: turnwire agents show ${options.agentName}`;
}
