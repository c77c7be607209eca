import { at, quoted, type RawMessage } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScripts, AgentContext } from '../../agent-context.ts';
import { refusalText } from '../../failed-turn.ts';
import type { Frames } from '../../frames.ts';
import { calm, expectDone, longCalm } from '../../fixtures/preconditions.ts';
import type { Session } from '../../session.ts';

/** How long a message to another client may take, in milliseconds. */
const soon = 5_000;

/**
 * Sessions that several clients share, for agents that advertise it. A client receives the turns of others at any time, also right after
 * it joined and between its own turns; hence `unaudited`.
 */
export const sharedScenarios: AgentScripts = {
  'shared/order': async (context) => {
    const { one, other } = await shared(context);
    await one.says('quince');
    await other.says('medlar');
    await one.wire.quiet(longCalm);
    const [seen, seenByOther] = [reportsIn(one, one.id), reportsIn(other, one.id)];
    expectDone(seen !== '', 'say a word');
    const fault = seen !== seenByOther && `the first client received ${seen}, the second ${seenByOther}`;
    context.see.check('R373', fault, one.outputs, other.outputs);
  },
  'shared/question': async (context) => {
    const { one, other } = await shared(context);
    one.onPermission(() => undefined);
    const turn = one.begin(context.steer('write', { path: context.path('quince.txt'), text: 'quince' }));
    const asked = await turn.until(({ method }) => method === 'session/request_permission');
    if (asked === undefined) throw new Stopped('the agent did not ask for permission to create a file');
    const isAsked = ({ method }: RawMessage): boolean => method === 'session/request_permission';
    const askedOfOther = await other.wire.next(isAsked, { within: soon });
    const unasked = askedOfOther === undefined && 'only one of the two clients was asked for permission';
    if (!context.see.check('R374', unasked, asked)) return void turn.cancel();
    const requestId = quoted(at(asked.message, 'id'));
    const isTakenBack = ({ method, params }: RawMessage): boolean =>
      method === '$/cancel_request' && quoted(at(params, 'requestId')) === requestId;
    const cancelled = await one.wire.next(isTakenBack, { within: soon });
    const open = 'the permission request was not cancelled after another client had answered it';
    context.see.check('R374', cancelled === undefined && open, asked, askedOfOther);
    await turn.endWithin(soon);
  },
  'shared/observer': async (context) => {
    const { other } = await shared(context, { role: 'observe' });
    const turn = await other.begin(context.steer('say', { text: 'quince' })).end();
    context.see.check(
      'R375',
      turn.error === undefined && 'the prompt of a client that only observes was accepted',
      turn,
    );
  },
  'shared/cursor': async (context) => {
    const { one, other } = await shared(context);
    await one.says('quince');
    await other.wire.quiet(longCalm);
    const after = at(other.updates().at(-1)?.entry.message, 'params', '_meta', 'turnwire', 'cursor');
    if (typeof after !== 'string') throw new Stopped('the updates carry no cursor');
    await other.wire.close();
    const missed = await one.says('medlar');
    await one.wire.quiet(calm);
    const agent = await context.ready();
    const { reply } = await agent.restore('session/resume', one.id, { _meta: { turnwire: { after } } });
    if (reply.error !== undefined) throw new Stopped(`session/resume was refused: ${refusalText(reply.error)}`);
    await agent.wire.quiet(longCalm);
    const [wanted, seen] = [reportsIn(missed, one.id), reportsIn(agent, one.id)];
    context.see.check(
      'R376',
      seen !== wanted && `the client had missed ${wanted} but was sent ${seen}`,
      reply,
      agent.outputs,
    );
  },
};

/** Two clients that share a session. Stops the scenario unless the agent says that clients can share its sessions. */
async function shared(
  context: AgentContext,
  meta: RawMessage = {},
): Promise<{ readonly one: Session; readonly other: Session }> {
  const one = await context.ready();
  if (at(one.initialized.capabilities, '_meta', 'turnwire', 'cursors') !== true)
    throw new Stopped('the agent does not advertise sessions that several clients share');
  const session = await one.session();
  const { session: other, reply } = await (
    await context.ready()
  ).restore('session/load', session.id, {
    _meta: { turnwire: meta },
  });
  if (reply.error !== undefined) throw new Stopped(`session/load was refused: ${refusalText(reply.error)}`);
  return { one: session, other };
}

/** The updates of a session's turns that a client received, as text. Consecutive chunks are joined. */
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
