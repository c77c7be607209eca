import { asMessage, quoted } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
import { listener, type Rule, rule, type RuleContext } from '../rule.ts';

/** Request ids are strings or integers. */
export const requestIds: Rule = rule('both', ['R020'], (frame, { check }) => {
  if (frame.kind !== 'request') return;
  const { id } = frame;
  const fault = !(typeof id === 'string' || Number.isInteger(id)) && `A request has the id ${quoted(id)}`;
  check('R020', fault, frame);
});

/** The longest error message that counts as one short sentence, in UTF-16 units. */
const sentence = 500;

/** An answer has either a result or an error, and an error has a message. */
export const answerShape: Rule = rule('both', ['R017', 'R022', 'R023'], (frame, context) => {
  const message = frame.message ?? {};
  if (frame.kind !== 'answer') return;
  if (!('error' in message)) return context.held('R017');
  if ('result' in message) return context.broken('R017', 'An answer has both a result and an error', frame);
  judgeError(frame, context);
});

function judgeError(frame: Frame, { held, broken, check }: RuleContext): void {
  const { code, message } = frame.error ?? {};
  if (!Number.isInteger(code)) return broken('R017', 'The code of an error is not an integer', frame);
  if (typeof message !== 'string') return broken('R017', 'The message of an error is not a string', frame);
  held('R017');
  if (message.trim() === '') return broken('R023', 'The message of an error is empty', frame);
  held('R023');
  const fault =
    (message.includes('\n') || message.length > sentence) && 'The message of an error is not one short sentence';
  check('R022', fault, frame);
}

/** Every request is answered once with its own id, and nothing else is answered. */
export const oneAnswer: Rule = listener('both', ['R018', 'R019'], (context) => {
  const askers = new Askers();
  return {
    received: (frame) => askers.take(frame),
    sent: (frame) => {
      if (frame.kind === 'answer') judge(frame, askers, context);
      if (askers.lastNotification !== undefined) context.held('R018');
    },
  };
});

function judge(answer: Frame, askers: Askers, { isWhole, held, broken }: RuleContext): void {
  if (answer.request?.answer === answer) return held('R019');
  // An invalid message may be answered with an error: with its id, or with null if the id was unknown.
  if (answer.error !== undefined && askers.excuses(answer.id)) return;
  if (answer.request !== undefined)
    return broken('R019', 'A request was answered twice', answer.request, answer.request.answer, answer);
  // The request may be among the missing frames.
  if (!isWhole) return;
  const { lastNotification } = askers;
  if (answer.id === null && lastNotification !== undefined)
    return broken('R018', 'A notification was answered', lastNotification, answer);
  // Stray output of a process is not in the journal, but the peer still answers it as a parse error.
  if (answer.id === null && answer.error?.code === -32_700) return;
  broken('R019', 'An answer has an id without a request', answer);
}

/** Messages of the other side that may be answered although they are not valid requests. */
class Askers {
  #nulls = 0;
  readonly #ids = new Map<string, number>();
  lastNotification: Frame | undefined;

  take(frame: Frame): void {
    if (frame.kind === 'notification') this.lastNotification = frame;
    const { entry } = frame;
    if (!isProper(frame))
      for (const value of Array.isArray(entry.message) ? [...entry.message, undefined] : [entry.message])
        this.#expect(value);
    // The peer may be unable to repeat such an id and answer with null.
    if (frame.kind === 'request' && typeof frame.id !== 'string' && !Number.isSafeInteger(frame.id)) this.#nulls++;
  }

  excuses(id: unknown): boolean {
    const key = JSON.stringify(id);
    const count = this.#ids.get(key) ?? 0;
    if (count > 0) {
      this.#ids.set(key, count - 1);
      this.#nulls--;
      return true;
    }
    if (id !== null || this.#nulls === 0) return false;
    this.#nulls--;
    return true;
  }

  #expect(value: unknown): void {
    this.#nulls++;
    const id = asMessage(value)?.['id'];
    if (id === undefined || id === null) return;
    const key = JSON.stringify(id);
    this.#ids.set(key, (this.#ids.get(key) ?? 0) + 1);
  }
}

/** Whether a message is well-formed and unambiguous. */
function isProper({ kind, entry, message, isSuccess, error }: Frame): boolean {
  if (entry.flaw !== undefined || kind === 'other' || message?.['jsonrpc'] !== '2.0') return false;
  if (kind === 'answer') return isSuccess !== (error !== undefined);
  const params = message['params'];
  return params === undefined || asMessage(params) !== undefined;
}
