import { quoted } from '../../wire/messages.ts';
import { type Rule, rule } from '../rule.ts';

/** A terminal login does not name a command. */
export const loginCommand: Rule = rule('agent', ['R065'], (frame, { check }) => {
  for (const method of frame.partsOf('AuthMethod'))
    if (method['type'] === 'terminal')
      check('R065', 'command' in method && 'A terminal login specifies a command to run', frame);
});

/** A client authenticates only with listed methods, and runs terminal logins itself. */
export const knownLogin: Rule = rule('client', ['R056', 'R063'], (frame, { facts, held, broken }) => {
  if (frame.kind !== 'request' || frame.method !== 'authenticate' || !facts.isAgentKnown) return;
  const { methodId } = frame.params;
  const listed = facts.authMethods.filter(({ id }) => id === methodId);
  if (listed.length === 0)
    return broken('R056', `authenticate names the method ${quoted(methodId)}, which was not listed`, frame);
  if (listed.some(({ type }) => type !== 'terminal')) {
    held('R056');
    if (facts.authMethods.some(({ type }) => type === 'terminal')) held('R063');
    return;
  }
  broken('R063', `authenticate names the method ${quoted(methodId)}, which is a terminal login`, frame);
});
