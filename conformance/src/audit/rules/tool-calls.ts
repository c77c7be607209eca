import { asMessage, quoted, type RawMessage } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
import { listener, type Rule, type RuleContext } from '../rule.ts';

interface Call {
  /** The first report of the call. */
  readonly first: Frame;
  /** The last report so far. */
  last: Frame;
  /** Whether one of its reports was a `tool_call`. */
  isAnnounced: boolean;
  status: unknown;
  name: unknown;
  /** Whether permission was requested and granted. */
  isPermitted: boolean;
  /** Whether permission was requested and refused. */
  isRefused: boolean;
  hasRun: boolean;
}

/** The tool calls of a connection. `session/load` replays them, so they are forgotten then. */
class Calls {
  readonly #sessions = new Map<string, Map<string, Call>>();

  of(sessionId: string): Map<string, Call> {
    const calls = this.#sessions.get(sessionId) ?? new Map<string, Call>();
    this.#sessions.set(sessionId, calls);
    return calls;
  }

  take(frame: Frame): void {
    const { method, kind, sessionId } = frame;
    if (kind === 'request' && method === 'session/load' && sessionId !== undefined) this.#sessions.delete(sessionId);
    if (kind === 'answer' && method === 'session/request_permission') this.#permit(frame);
  }

  announce(frame: Frame, report: RawMessage): Call {
    const call: Call = {
      first: frame,
      last: frame,
      isAnnounced: false,
      status: 'pending',
      name: undefined,
      isPermitted: false,
      isRefused: false,
      hasRun: false,
    };
    this.of(frame.sessionId ?? '').set(String(report['toolCallId']), call);
    return call;
  }

  /** Records a report of a call. */
  record(call: Call, frame: Frame, report: RawMessage): void {
    call.last = frame;
    call.isAnnounced ||= frame.update?.sessionUpdate === 'tool_call';
    call.status = report['status'] ?? call.status;
    call.name ??= report['name'] ?? undefined;
    call.hasRun ||= call.status === 'in_progress';
  }

  #permit({ request, result, sessionId }: Frame): void {
    const outcome = asMessage(result?.['outcome']);
    const toolCallId = asMessage(request?.params['toolCall'])?.['toolCallId'];
    const options: unknown = request?.params['options'];
    const chosen = Array.isArray(options)
      ? options.map(asMessage).find((option) => option?.['optionId'] === outcome?.['optionId'])
      : undefined;
    const call = this.of(sessionId ?? '').get(String(toolCallId));
    if (call === undefined) return;
    call.isPermitted = String(chosen?.['kind']).startsWith('allow');
    call.isRefused = !call.isPermitted;
  }
}

/** A tool call is announced once, reported while it runs, and ended. */
export const toolCalls: Rule = listener('agent', ['R150', 'R153', 'R179', 'R180', 'R187', 'R194'], (context) => {
  const calls = new Calls();
  return {
    received: (frame) => calls.take(frame),
    sent: (frame) => {
      const { update } = frame;
      if (update?.sessionUpdate === 'tool_call') judgeAnnouncement(calls, frame, context);
      if (update?.sessionUpdate === 'tool_call_update') judgeUpdate(calls, frame, context);
      if (frame.method === 'session/request_permission') judgeQuestion(calls, frame, context);
      if (frame.method === 'session/prompt' && frame.isSuccess) judgeEnd(calls, frame, context);
    },
  };
});

function judgeAnnouncement(calls: Calls, frame: Frame, { facts, held, broken }: RuleContext): void {
  const report = frame.update ?? {};
  const session = facts.session(frame.sessionId ?? '');
  const known = calls.of(session.id).get(String(report['toolCallId']));
  held('R179');
  // A call that has not ended was only reported again. Two concurrent loads both replay all calls.
  if (known !== undefined && !isOver(known)) return calls.record(known, frame, report);
  if (known !== undefined && session.openings.size === 0)
    broken(
      'R180',
      `The tool call ${quoted(report['toolCallId'])} was announced again after its end`,
      known.first,
      frame,
    );
  else if (known === undefined && calls.of(session.id).size > 0) held('R180');
  calls.record(calls.announce(frame, report), frame, report);
}

function judgeUpdate(calls: Calls, frame: Frame, context: RuleContext): void {
  const report = frame.update ?? {};
  const call = calls.of(frame.sessionId ?? '').get(String(report['toolCallId']));
  if (call === undefined) return judgeUnannounced(calls, frame, context);
  judgeName(call, frame, context);
  calls.record(call, frame, report);
  if (!call.isPermitted || report['status'] !== 'completed') return;
  const message = 'A permitted tool call was completed without having been in_progress';
  context.check('R150', !call.hasRun && message, call.first, frame);
}

function judgeUnannounced(calls: Calls, frame: Frame, { facts, broken }: RuleContext): void {
  const report = frame.update ?? {};
  const { opened, openings } = facts.session(frame.sessionId ?? '');
  // Calls of a session that was opened on another connection may have been announced there.
  const isOwn = opened === 'new' || opened === 'load';
  if (isOwn && openings.size === 0)
    broken('R179', `The tool call ${quoted(report['toolCallId'])} was not announced with tool_call`, frame);
  calls.record(calls.announce(frame, report), frame, report);
}

function judgeName(call: Call, frame: Frame, { check }: RuleContext): void {
  const name = frame.update?.['name'] ?? call.name;
  if (call.name === undefined) return;
  const message = `The name of a tool changed from ${quoted(call.name)} to ${quoted(name)}`;
  check('R194', name !== call.name && message, call.first, frame);
}

function judgeQuestion(calls: Calls, frame: Frame, { held, broken }: RuleContext): void {
  const report = asMessage(frame.params['toolCall']) ?? {};
  const call = calls.of(frame.sessionId ?? '').get(String(report['toolCallId']));
  const current = report['status'] ?? call?.status ?? 'pending';
  if (current === 'completed' || current === 'failed')
    broken('R187', `Permission was requested for a tool call that is ${current}`, call?.last, frame);
  else if (current === 'pending') held('R187');
  if (call === undefined) calls.record(calls.announce(frame, report), frame, { ...report });
  else calls.record(call, frame, report);
}

const finals: readonly unknown[] = ['completed', 'failed'];

function isOver({ status }: Call): boolean {
  return finals.includes(status);
}

function judgeEnd(calls: Calls, answer: Frame, { facts, held, broken }: RuleContext): void {
  const session = facts.session(answer.sessionId ?? '');
  if (answer.result?.['stopReason'] !== 'end_turn' || session.turns.size > 0) return;
  for (const [id, { status, last, isAnnounced, isRefused, hasRun }] of calls.of(session.id)) {
    // Calls that were only reported before prompts on this connection belong to other turns.
    if (!isAnnounced) continue;
    if (finals.includes(status)) held('R153');
    // A call that was refused before it ran has no end to report.
    else if (isRefused && !hasRun) continue;
    else if (answer.request !== undefined && last.entry.at >= answer.request.entry.at)
      broken('R153', `The turn ended while the tool call ${quoted(id)} was ${String(status)}`, last, answer);
  }
}
