import { auditJournal } from '../audit/audit-journal.ts';
import { requirements } from '../requirements/requirements.ts';
import { at, isAnswerTo, type JournalEntry, type RawMessage } from '../wire/messages.ts';
import { lastOutputOf, type Wire } from '../wire/wire.ts';
import type { SentLine } from './fuzz-step.ts';

/** A violation that no input may cause. */
export interface FuzzFault {
  /**
   * - `lives`: the agent, or its connection, ended
   * - `answers`: a request was not answered in time, or more than once
   * - `silence`: an answer arrived without a request
   * - `continues`: a valid request was not answered afterwards
   * - `frames`: the agent sent an invalid message
   */
  readonly rule: 'lives' | 'answers' | 'silence' | 'continues' | 'frames';
  /** The observation, as a sentence without a full stop. It contains text of the agent: clean it before printing it to a terminal. */
  readonly message: string;
  readonly evidence: readonly JournalEntry[];
}

/** The fuzzer judges these itself, because it knows the input. */
const elsewhere = ['R018', 'R019'];
const demanded = new Set(
  requirements.filter(({ id, level }) => level.startsWith('MUST') && !elsewhere.includes(id)).map(({ id }) => id),
);

const probe = 'turnwire-sane';

/** The fault of an agent after all input; undefined if there is none. Waits for outstanding answers. */
export async function faultIn(wire: Wire, asked: readonly SentLine[], timeout: number): Promise<FuzzFault | undefined> {
  wire.send({ jsonrpc: '2.0', id: probe, method: '_turnwire.dev/nothing', params: {} });
  const within = timeout;
  const answered = await wire.next((message) => isAnswerTo(probe, message), { within });
  const owed = asked.filter(({ isOwed }) => isOwed);
  await Promise.all(owed.map(({ id }) => wire.next((message) => isAnswerWith(id, message), { within })));
  if (wire.hasEnded)
    return {
      rule: 'lives',
      message: `the connection ended${lastOutputOf(wire.line)}`,
      evidence: wire.journal.slice(-1),
    };
  if (answered === undefined)
    return { rule: 'continues', message: 'a valid request is no longer answered', evidence: [] };
  const missing = owed.find(({ id }) => answersWith(wire, id).length === 0);
  if (missing === undefined) return unaskedIn(wire, asked) ?? wrongFrame(wire);
  return { rule: 'answers', message: `the request ${missing.id} was not answered in time`, evidence: [missing.entry] };
}

/** A fault if there are more answers than requests, or answers without a request. */
function unaskedIn(wire: Wire, asked: readonly SentLine[]): FuzzFault | undefined {
  const answered = wire.received().filter(({ message }) => isAnswer(message));
  for (const id of new Set(answered.map(({ message }) => JSON.stringify(message['id'])))) {
    const evidence = answersWith(wire, id);
    const allowed = id === JSON.stringify(probe) ? 1 : asked.filter((each) => mayBeAnsweredWith(id, each)).length;
    if (evidence.length <= allowed) continue;
    const rule = allowed === 0 ? 'silence' : 'answers';
    return { rule, message: `${evidence.length} answers have the id ${id}; expected: ${allowed}`, evidence };
  }
  return undefined;
}

/** A message that is not a valid call may be answered with its id, if it has one, or with null. */
function mayBeAnsweredWith(answerId: string | undefined, { id, method, mayFail }: SentLine): boolean {
  if (id === answerId && (method !== undefined || mayFail)) return true;
  return mayFail && (answerId === 'null' || answerId === undefined);
}

function wrongFrame(wire: Wire): FuzzFault | undefined {
  // Loading a session replays our input, including its errors.
  const isEcho = ({ message }: JournalEntry): boolean =>
    at(message, 'params', 'update', 'sessionUpdate') === 'user_message_chunk';
  const broken = auditJournal(wire.journal, 'agent').find(
    ({ outcome, requirement, evidence }) => outcome === 'broken' && demanded.has(requirement) && !evidence.some(isEcho),
  );
  if (broken === undefined) return undefined;
  return { rule: 'frames', message: `${broken.requirement}: ${broken.message}`, evidence: broken.evidence };
}

function answersWith(wire: Wire, id: string | undefined): readonly JournalEntry[] {
  return wire.received().flatMap(({ entry, message }) => (isAnswerWith(id, message) ? [entry] : []));
}

function isAnswerWith(id: string | undefined, message: RawMessage): boolean {
  return isAnswer(message) && JSON.stringify(message['id']) === id;
}

function isAnswer(message: RawMessage): boolean {
  return message['method'] === undefined && ('result' in message || 'error' in message);
}
