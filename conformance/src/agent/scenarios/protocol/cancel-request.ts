import {
  asMessage,
  at,
  errorOf,
  isAnswerTo,
  type JournalEntry,
  quoted,
  type RawMessage,
} from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScripts, AgentContext } from '../../agent-context.ts';
import { cancelled, chosen, selected } from '../../host/simulate-host.ts';
import { answersBut, endedAfter, readyToAnswer, unknownMethod } from '../../fixtures/unknown-method.ts';
import type { Session } from '../../session.ts';

/** Milliseconds that an agent that supports cancelling may take. */
const toCancel = 2_000;
/** Milliseconds in which a forbidden answer would arrive. */
const afterwards = 200;
const unsupported = 'the agent does not support $/cancel_request, which is optional';

export const cancelRequestScenarios: AgentScripts = {
  'cancel-request/answered': async (context) => {
    const wire = await readyToAnswer(context);
    await wire.ask(unknownMethod, {}, { id: 'answered' });
    const from = wire.journal.length;
    const ids = ['answered', 'never asked', 404, null];
    const cancels = ids.map((requestId) => wire.notify('$/cancel_request', { requestId }));
    const { entry } = await wire.ask(unknownMethod);
    await wire.quiet(afterwards);
    const answers = answersBut(wire, { from, entry });
    // Another scenario judges answers to notifications.
    if (answers.some(({ message }) => errorOf(message)?.code === -32_601)) throw new Stopped(unsupported);
    if (wire.hasEnded) throw endedAfter(wire, from);
    context.see.check(
      'R173',
      answers.length > 0 && 'the cancellation of a finished request was answered',
      cancels,
      answers,
    );
  },
  'cancel-request/pending': async (context) => {
    const waiting = await waitingTurn(context);
    const { wire, requestId } = waiting;
    const cancel = wire.notify('$/cancel_request', { requestId });
    const answer = await answerSoon(waiting);
    // An agent without support for `$/cancel_request` ignores it: end the turn with `session/cancel`.
    if (answer === undefined) context.see.unseen('R172', unsupported);
    if (answer === undefined) return giveUp(context, waiting);
    const message = asMessage(answer.message) ?? {};
    const hasStopReason = typeof at(message, 'result', 'stopReason') === 'string';
    const isRight = errorOf(message) === undefined ? hasStopReason : errorOf(message)?.code === -32_800;
    context.see.check(
      'R172',
      !isRight && 'the cancelled request was answered with neither a result nor -32800',
      cancel,
      answer,
    );
  },
  'cancel-request/other-direction': async (context) => {
    const { wire, requestId, permission, asked } = await waitingTurn(context);
    const cancel = wire.notify('$/cancel_request', { requestId: asked });
    await wire.quiet(afterwards);
    const options = at(permission.message, 'params', 'options');
    wire.send({ jsonrpc: '2.0', id: asked, result: selected(chosen(options, 'allow_once')) });
    const reply = await wire.answer(requestId, { within: context.turnTimeout });
    const isCancelled = reply.error?.code === -32_800 || at(reply.result, 'stopReason') === 'cancelled';
    context.see.check(
      'R177',
      isCancelled && 'cancelling an id of the agent cancelled the turn of the client',
      permission,
      cancel,
      reply,
    );
  },
  'cancel-request/cascade': async (context) => {
    const { wire, requestId, session, permission, asked } = await waitingTurn(context);
    const from = wire.journal.length;
    const cancel = session.cancel();
    const isTakenBack = ({ method, params }: RawMessage): boolean =>
      method === '$/cancel_request' && quoted(at(params, 'requestId')) === quoted(asked);
    const given = await wire.next(isTakenBack, { from, within: toCancel });
    wire.send({ jsonrpc: '2.0', id: asked, result: cancelled });
    await endOfCancelled(context, wire, requestId);
    if (given === undefined && !(await isSupported(context))) throw new Stopped(unsupported);
    const fault = given === undefined && 'the permission request was not cancelled after session/cancel';
    context.see.check('R176', fault, permission, cancel);
  },
};

interface WaitingTurn {
  readonly session: Session;
  readonly wire: Wire;
  readonly requestId: string;
  /** The permission request that the turn waits for. */
  readonly permission: JournalEntry;
  /** The id of that request. */
  readonly asked: unknown;
}

/** Begins a turn that waits for a permission that is never granted. */
async function waitingTurn(context: AgentContext): Promise<WaitingTurn> {
  const session = await context.session();
  const { wire, id: sessionId } = session;
  session.onPermission(() => undefined);
  const text = context.steer('write', { path: 'made.txt', text: 'made' });
  const requestId = 'turnwire-prompt';
  const prompt = [{ type: 'text', text }];
  wire.send({ jsonrpc: '2.0', id: requestId, method: 'session/prompt', params: { sessionId, prompt } });
  const permission = await wire.next(
    (message) => message['method'] === 'session/request_permission' || isAnswerTo(requestId, message),
    { within: context.turnTimeout },
  );
  if (at(permission?.message, 'method') === undefined || permission === undefined)
    throw new Stopped('the agent did not ask for permission');
  return { session, wire, requestId, permission, asked: at(permission.message, 'id') };
}

function answerSoon({ wire, requestId }: WaitingTurn): Promise<JournalEntry | undefined> {
  return wire.next((message) => isAnswerTo(requestId, message), { within: toCancel });
}

/** Whether the agent ends a request that is cancelled: support for `$/cancel_request` is optional. */
async function isSupported(context: AgentContext): Promise<boolean> {
  const waiting = await waitingTurn(context);
  waiting.wire.notify('$/cancel_request', { requestId: waiting.requestId });
  const answer = await answerSoon(waiting);
  if (answer === undefined) await giveUp(context, waiting);
  return answer !== undefined;
}

/** Ends a turn with `session/cancel`. */
async function giveUp(context: AgentContext, { wire, session, requestId, asked }: WaitingTurn): Promise<void> {
  session.cancel();
  wire.send({ jsonrpc: '2.0', id: asked, result: cancelled });
  await endOfCancelled(context, wire, requestId);
}

/** Waits for the answer to a cancelled prompt. Stops the scenario if none arrives: other scenarios judge that. */
async function endOfCancelled({ cancels }: AgentContext, wire: Wire, requestId: string): Promise<void> {
  const answer = await cancels.wait((within) => wire.next((message) => isAnswerTo(requestId, message), { within }));
  if (answer === undefined) throw new Stopped('the agent did not answer a cancelled prompt');
}
