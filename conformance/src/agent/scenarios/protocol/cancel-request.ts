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
import type { AgentScripts, AgentStage } from '../../agent-stage.ts';
import { cancelled, chosen, selected } from '../../host/play-host.ts';
import { answersBut, endedAfter, readyToAnswer, unknownMethod } from '../../pieces/unknown-method.ts';
import type { Session } from '../../session.ts';

/** How long an agent that can cancel may take, and how long an answer that must not be: in milliseconds. */
const toCancel = 2_000;
const afterwards = 200;
const unsupported = 'the agent does not support $/cancel_request, which is optional';

export const cancelRequestScenarios: AgentScripts = {
  'cancel-request/answered': async (stage) => {
    const wire = await readyToAnswer(stage);
    await wire.ask(unknownMethod, {}, { id: 'answered' });
    const from = wire.journal.length;
    const ids = ['answered', 'never asked', 404, null];
    const cancels = ids.map((requestId) => wire.notify('$/cancel_request', { requestId }));
    const { entry } = await wire.ask(unknownMethod);
    await wire.quiet(afterwards);
    const answers = answersBut(wire, { from, entry });
    // That it answers notifications is said elsewhere.
    if (answers.some(({ message }) => errorOf(message)?.code === -32_601)) throw new Stopped(unsupported);
    if (wire.hasEnded) throw endedAfter(wire, from);
    stage.see.check('R173', answers.length > 0 && 'there is an answer to what was over', cancels, answers);
  },
  'cancel-request/pending': async (stage) => {
    const waiting = await waitingTurn(stage);
    const { wire, requestId } = waiting;
    const cancel = wire.notify('$/cancel_request', { requestId });
    const answer = await answerSoon(waiting);
    // Who does not support it continues as if nothing was; the turn is ended the other way.
    if (answer === undefined) stage.see.unseen('R172', unsupported);
    if (answer === undefined) return giveUp(stage, waiting);
    const message = asMessage(answer.message) ?? {};
    const hasStopReason = typeof at(message, 'result', 'stopReason') === 'string';
    const isRight = errorOf(message) === undefined ? hasStopReason : errorOf(message)?.code === -32_800;
    stage.see.check('R172', !isRight && 'it is neither a result nor -32800', cancel, answer);
  },
  'cancel-request/other-direction': async (stage) => {
    const { wire, requestId, permission, asked } = await waitingTurn(stage);
    const cancel = wire.notify('$/cancel_request', { requestId: asked });
    await wire.quiet(afterwards);
    const options = at(permission.message, 'params', 'options');
    wire.send({ jsonrpc: '2.0', id: asked, result: selected(chosen(options, 'allow_once')) });
    const reply = await wire.answer(requestId, { within: stage.settings.patience.turn });
    const isCancelled = reply.error?.code === -32_800 || at(reply.result, 'stopReason') === 'cancelled';
    stage.see.check('R177', isCancelled && 'the turn was cancelled by an id of the agent', permission, cancel, reply);
  },
  'cancel-request/cascade': async (stage) => {
    const { wire, requestId, session, permission, asked } = await waitingTurn(stage);
    const from = wire.journal.length;
    const cancel = session.cancel();
    const isTakenBack = ({ method, params }: RawMessage): boolean =>
      method === '$/cancel_request' && quoted(at(params, 'requestId')) === quoted(asked);
    const given = await wire.next(isTakenBack, { from, within: toCancel });
    wire.send({ jsonrpc: '2.0', id: asked, result: cancelled });
    await wire.answer(requestId, { within: stage.settings.patience.turn });
    if (given === undefined && !(await isSupported(stage))) throw new Stopped(unsupported);
    const fault = given === undefined && 'its question to the client is still open after session/cancel';
    stage.see.check('R176', fault, permission, cancel);
  },
};

interface WaitingTurn {
  readonly session: Session;
  readonly wire: Wire;
  readonly requestId: string;
  /** The question that the turn waits for, and its id. */
  readonly permission: JournalEntry;
  readonly asked: unknown;
}

/** A turn that waits for a permission that is never given. */
async function waitingTurn(stage: AgentStage): Promise<WaitingTurn> {
  const session = await stage.session();
  const { wire, id: sessionId } = session;
  session.onPermission(() => undefined);
  const text = stage.steer('write', { path: 'made.txt', text: 'made' });
  const requestId = 'turnwire-prompt';
  const prompt = [{ type: 'text', text }];
  wire.send({ jsonrpc: '2.0', id: requestId, method: 'session/prompt', params: { sessionId, prompt } });
  const permission = await wire.next(
    (message) => message['method'] === 'session/request_permission' || isAnswerTo(requestId, message),
    { within: stage.turnPatience },
  );
  if (at(permission?.message, 'method') === undefined || permission === undefined)
    throw new Stopped('the agent asked for no permission');
  return { session, wire, requestId, permission, asked: at(permission.message, 'id') };
}

function answerSoon({ wire, requestId }: WaitingTurn): Promise<JournalEntry | undefined> {
  return wire.next((message) => isAnswerTo(requestId, message), { within: toCancel });
}

/** Whether the agent gives up a request that is cancelled; support for $/cancel_request is optional. */
async function isSupported(stage: AgentStage): Promise<boolean> {
  const waiting = await waitingTurn(stage);
  waiting.wire.notify('$/cancel_request', { requestId: waiting.requestId });
  const answer = await answerSoon(waiting);
  if (answer === undefined) await giveUp(stage, waiting);
  return answer !== undefined;
}

/** Ends a turn by `session/cancel`, as a client does. */
async function giveUp(stage: AgentStage, { wire, session, requestId, asked }: WaitingTurn): Promise<void> {
  session.cancel();
  wire.send({ jsonrpc: '2.0', id: asked, result: cancelled });
  await wire.answer(requestId, { within: stage.settings.patience.turn });
}
