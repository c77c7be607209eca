import type { Agent } from '@agentwire/client';
import { errorCodes, ProtocolError } from '@agentwire/protocol';
import { cleanText } from './terminal/clean-text.ts';

/** Tells the person something on stderr. */
export function complain(message: string): void {
  process.stderr.write(`agentwire: ${cleanText(message)}\n`);
}

/** What went wrong, and what to do about it where that is known. */
export function explain(error: unknown, agent?: Agent): string {
  if (!(error instanceof ProtocolError)) return error instanceof Error ? error.message : String(error);
  if (error.code === errorCodes.authenticationRequired) return loginNeeded(error, agent);
  return `the agent answered with an error: ${error.message}${details(error.data)}`;
}

function loginNeeded({ message }: ProtocolError, agent: Agent | undefined): string {
  const ways = agent?.authMethods.map(({ name }) => name).join(', ');
  const offered = ways ? ` It offers: ${ways}.` : '';
  return `the agent wants you to log in first (${message}).${offered} Log in with the agent's own command, or pass its key on with --env NAME.`;
}

/** Agents put the real reason into the error's data, most often as `details`. */
function details(data: unknown): string {
  const reason = typeof data === 'object' && data !== null && 'details' in data ? data.details : data;
  if (reason === undefined || reason === null) return '';
  return ` (${typeof reason === 'string' ? reason : JSON.stringify(reason)})`;
}
