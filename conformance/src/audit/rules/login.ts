import { at, quoted } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
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

/** Words of an error that can only mean that a login is missing. */
const asksForLogin =
  /\b(?:authentication (?:is )?required|not (?:logged|signed|authenticated)\b(?: in)?|unauthenticated|auth_required|requires? (?:a )?log ?in|(?:log|sign) in first|(?:please|must|need to|have to) (?:log|sign) in)\b/i;

/** A missing login is answered with -32000, and nothing else is. */
export const loginErrors: Rule = rule('agent', ['R414'], (frame, { facts, frames, check }) => {
  const { error, request, method } = frame;
  if (error === undefined || request === undefined || !/^session\/(?:new|load|resume|prompt)$/.test(method)) return;
  const { message, code, data } = error;
  const words = [message, at(data, 'details')].filter((each) => typeof each === 'string').join(' ');
  if (code !== -32_000) {
    if (facts.authMethods.length > 0 && asksForLogin.test(words))
      check('R414', `The missing login was reported with the code ${quoted(code)} instead of -32000`, frame);
    return;
  }
  // A logout may end a login between two prompts.
  if (frames.some((each) => /^(?:auth\/)?logout$/.test(each.method))) return;
  const done = frames.find(isAnsweredPrompt);
  const isBefore = done !== undefined && done.entry.at <= frame.entry.at;
  check(
    'R414',
    isBefore && `${method} was refused with -32000, although a prompt was answered without a login`,
    done,
    frame,
  );
});

/** A prompt that was answered normally. Agents may obey slash commands without a login. */
function isAnsweredPrompt({ kind, method, params, answer }: Frame): boolean {
  if (kind !== 'request' || method !== 'session/prompt' || answer === undefined) return false;
  const { stopReason, messageId } = answer.result ?? {};
  const isCommand = String(at(params['prompt'], 0, 'text')).startsWith('/');
  return !isCommand && (stopReason === 'end_turn' || messageId !== undefined);
}
