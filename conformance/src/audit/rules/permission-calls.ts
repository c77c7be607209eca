import { asMessage, at, objectsIn, quoted, type RawMessage } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
import { listener, type Rule, type RuleContext } from '../rule.ts';

const finals: readonly unknown[] = ['completed', 'failed', 'cancelled'];

/** What the agent reported of a tool call so far. */
interface ReportedCall {
  status: unknown;
  rawInput: unknown;
  last: Frame;
}

/** The tool calls of a session, and the permission requests of its turn. */
class SessionCalls {
  readonly reported = new Map<string, ReportedCall>();
  readonly asked: Frame[] = [];

  report(frame: Frame, { toolCallId, status, rawInput }: RawMessage): void {
    const known = this.reported.get(String(toolCallId));
    this.reported.set(String(toolCallId), {
      status: status ?? known?.status,
      rawInput: rawInput ?? known?.rawInput,
      last: frame,
    });
  }
}

/** A permission request names its own tool call: one that has not ended, and that the turn reports. */
export const permissionCalls: Rule = listener('agent', ['R409'], (context) => {
  const sessions = new Map<string, SessionCalls>();
  const of = ({ sessionId = '' }: Frame): SessionCalls => {
    const known = sessions.get(sessionId) ?? new SessionCalls();
    sessions.set(sessionId, known);
    return known;
  };
  return {
    received: (frame) => {
      if (frame.method === 'session/load' && frame.kind === 'request') sessions.delete(frame.sessionId ?? '');
    },
    sent: (frame) => {
      const { update, method } = frame;
      if (/^tool_call(?:_update)?$/.test(String(update?.sessionUpdate))) of(frame).report(frame, update ?? {});
      if (frame.kind === 'request' && method === 'session/request_permission') judgeRequest(frame, of(frame), context);
      if (frame.kind === 'answer' && method === 'session/prompt') judgeEnd(frame, of(frame), context);
    },
  };
});

function callOf({ params }: Frame): RawMessage {
  return asMessage(params['toolCall'] ?? at(params['subject'], 'toolCall')) ?? {};
}

function judgeRequest(frame: Frame, { reported, asked }: SessionCalls, { check }: RuleContext): void {
  const { toolCallId, rawInput } = callOf(frame);
  if (typeof toolCallId !== 'string') return;
  const known = reported.get(toolCallId);
  asked.push(frame);
  if (known === undefined) return;
  const hasEnded =
    finals.includes(known.status) && `Permission was requested for a tool call that is ${String(known.status)}`;
  const isOther = rawInput !== undefined && known.rawInput !== undefined && quoted(rawInput) !== quoted(known.rawInput);
  // A call that has ended may have had the same input: the agent does the same thing again.
  const owner = [...reported].find(
    ([, each]) => isOther && !finals.includes(each.status) && quoted(each.rawInput) === quoted(rawInput),
  );
  const confused =
    owner !== undefined &&
    `A permission request has the input of the tool call ${quoted(owner[0])} and the id ${quoted(toolCallId)}`;
  check('R409', hasEnded || confused, known.last, owner?.[1].last, frame);
}

/** A call that was permitted must have been reported when its turn ends. In version 2 its permission request announces it. */
function judgeEnd(answer: Frame, calls: SessionCalls, { version, facts, check }: RuleContext): void {
  if (facts.session(answer.sessionId ?? '').turns.size > 0) return;
  for (const frame of calls.asked.splice(0)) {
    const { toolCallId } = callOf(frame);
    const isMissing = version === 1 && isAllowed(frame) && !calls.reported.has(String(toolCallId));
    const fault = `Permission was requested for the tool call ${quoted(toolCallId)}, which was never reported`;
    if (answer.result?.['stopReason'] === 'end_turn') check('R409', isMissing && fault, frame, answer);
  }
}

function isAllowed({ params, answer }: Frame): boolean {
  const optionId = at(answer?.result, 'outcome', 'optionId');
  const chosen = objectsIn(params['options']).find((option) => option['optionId'] === optionId);
  return String(chosen?.['kind']).startsWith('allow');
}
