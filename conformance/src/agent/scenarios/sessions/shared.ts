import { at, quoted, type RawMessage } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScripts, AgentStage } from '../../agent-stage.ts';
import { refusalWords } from '../../failed-turn.ts';
import type { Frames } from '../../frames.ts';
import { calm, expectDone, longCalm } from '../../pieces/preconditions.ts';
import type { Session } from '../../session.ts';

/** How long what another client must see may take, in milliseconds. */
const soon = 5_000;

/**
 * Sessions that several clients share, of an agent that says that they can. Of the turns of others a client is told whenever they happen, also
 * when it has just come to the session, and between its own: hence `unaudited`.
 */
export const sharedScenarios: AgentScripts = {
  'shared/order': async (stage) => {
    const { one, other } = await shared(stage);
    await one.says('quince');
    await other.says('medlar');
    await one.wire.quiet(longCalm);
    const [seen, seenByOther] = [reportsIn(one, one.id), reportsIn(other, one.id)];
    expectDone(seen !== '', 'say a word');
    const fault = seen !== seenByOther && `one client was shown ${seen}, the other ${seenByOther}`;
    stage.see.check('R373', fault, one.outputs, other.outputs);
  },
  'shared/question': async (stage) => {
    const { one, other } = await shared(stage);
    one.onPermission(() => undefined);
    const turn = one.begin(stage.steer('write', { path: stage.path('quince.txt'), text: 'quince' }));
    const asked = await turn.until(({ method }) => method === 'session/request_permission');
    if (asked === undefined) throw new Stopped('asked to create a file, the agent asked for no permission');
    const isAsked = ({ method }: RawMessage): boolean => method === 'session/request_permission';
    const askedOfOther = await other.wire.next(isAsked, { within: soon });
    const unasked = askedOfOther === undefined && 'only one of two clients was asked';
    if (!stage.see.check('R374', unasked, asked)) return void turn.cancel();
    const requestId = quoted(at(asked.message, 'id'));
    const isTakenBack = ({ method, params }: RawMessage): boolean =>
      method === '$/cancel_request' && quoted(at(params, 'requestId')) === requestId;
    const cancelled = await one.wire.next(isTakenBack, { within: soon });
    const open = 'another client has answered, and the question is still open';
    stage.see.check('R374', cancelled === undefined && open, asked, askedOfOther);
    await turn.endWithin(soon);
  },
  'shared/observer': async (stage) => {
    const { other } = await shared(stage, { role: 'observe' });
    const turn = await other.begin(stage.steer('say', { text: 'quince' })).end();
    stage.see.check('R375', turn.error === undefined && 'a prompt of a client that only watches was taken', turn);
  },
  'shared/cursor': async (stage) => {
    const { one, other } = await shared(stage);
    await one.says('quince');
    await other.wire.quiet(longCalm);
    const after = at(other.updates().at(-1)?.entry.message, 'params', '_meta', 'turnwire', 'cursor');
    if (typeof after !== 'string') throw new Stopped('the updates do not say which place they have');
    await other.wire.close();
    const missed = await one.says('medlar');
    await one.wire.quiet(calm);
    const agent = await stage.ready();
    const { reply } = await agent.bringBack('session/resume', one.id, { _meta: { turnwire: { after } } });
    if (reply.error !== undefined) throw new Stopped(`session/resume was refused: ${refusalWords(reply.error)}`);
    await agent.wire.quiet(longCalm);
    const [wanted, seen] = [reportsIn(missed, one.id), reportsIn(agent, one.id)];
    stage.see.check('R376', seen !== wanted && `it had missed ${wanted}, and was shown ${seen}`, reply, agent.outputs);
  },
};

/** A session and two clients that have it. The scenario stops with an agent that does not say that clients can share its sessions. */
async function shared(
  stage: AgentStage,
  meta: RawMessage = {},
): Promise<{ readonly one: Session; readonly other: Session }> {
  const one = await stage.ready();
  if (at(one.initialized.capabilities, '_meta', 'turnwire', 'cursors') !== true)
    throw new Stopped('the agent does not say that several clients can share a session');
  const session = await one.session();
  const { session: other, reply } = await (
    await stage.ready()
  ).bringBack('session/load', session.id, {
    _meta: { turnwire: meta },
  });
  if (reply.error !== undefined) throw new Stopped(`session/load was refused: ${refusalWords(reply.error)}`);
  return { one: session, other };
}

/** What a client was shown of the turns of a session: neighbouring pieces of a text are one. */
function reportsIn(frames: Frames, id: string): string {
  const reports: { readonly kind: string; text: string }[] = [];
  for (const { kind, update, sessionId } of frames.outputs) {
    if (sessionId !== id) continue;
    const said = at(update, 'content', 'text');
    const text = typeof said === 'string' ? said : quoted([update['toolCallId'], update['status']]);
    const last = reports.at(-1);
    if (last !== undefined && last.kind === kind && String(kind).endsWith('_chunk')) last.text += text;
    else reports.push({ kind: String(kind), text });
  }
  return reports.map(({ kind, text }) => `${kind} ${text}`).join(', ');
}
