import { type Agent, errorText } from '@turnwire/client';
import { TurnwireError, errorCodes, ProtocolError } from '@turnwire/protocol';
import { cleanText } from './terminal/clean-text.ts';
import { stderr } from './terminal/output.ts';

/** A command that cannot go on, and the exit code that says so. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

let areJson = false;

/** From now on what is told on stderr is JSON, an object a line. */
export function complainAsJson(): void {
  areJson = true;
}

/** Tells the user something on stderr. */
export function complain(message: string): void {
  const text = cleanText(message);
  if (areJson) stderr.printJson(JSON.stringify({ message: text }));
  else stderr.printLine(`turnwire: ${text}`);
}

/** What went wrong, and what to do about it where that is known, clean of what an agent may have put into its error. */
export function explain(error: unknown, agent?: Agent): string {
  return cleanText(explanation(error, agent));
}

function explanation(error: unknown, agent: Agent | undefined): string {
  if (!(error instanceof ProtocolError)) return errorText(error);
  if (error.code === errorCodes.authenticationRequired) return loginNeeded(error, agent);
  return `the agent answered with an error: ${errorText(error)}`;
}

function loginNeeded(error: ProtocolError, agent: Agent | undefined): string {
  const ways = agent?.authMethods.map(({ name }) => name).join(', ');
  const offered = ways ? ` It offers: ${ways}.` : '';
  return `the agent wants you to log in first (${errorText(error)}).${offered} Log in with the agent's own command, or pass its key on with --env NAME.`;
}

/** Where an agent comes from that could not be started, if it was named and is known; else nothing. */
export function whereFrom(error: unknown, options: { readonly agent?: string; readonly agentName: string }): string {
  const isLaunch = error instanceof TurnwireError && error.code === 'launch-failed';
  if (!isLaunch || options.agent !== undefined) return '';
  return `. Where it comes from says: turnwire agents show ${options.agentName}`;
}
