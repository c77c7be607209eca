import { at, quoted } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, inSession, withAgent } from '../../agent-context.ts';
import { beginKeptSession } from '../../fixtures/kept-session.ts';
import { calm, expectDone } from '../../fixtures/preconditions.ts';
import { failsWith } from './refusal.ts';

const unknown = { sessionId: 'turnwire-no-such-session' };

/** Audit rules judge the order of replays. */
export const resumeScenarios: AgentScripts = {
  'resume/ids': async (context) => {
    const { session } = await beginKeptSession(context, 'session');
    const live = session.updates('user_message', 'user_message_chunk').map(({ update }) => update['messageId']);
    const back = await (await session.agent.restart()).restore('session/load', session.id);
    if (back.reply.error !== undefined) throw new Stopped('session/resume was refused');
    const replayed = back.before.updates('user_message', 'user_message_chunk').map(({ update }) => update['messageId']);
    expectDone(replayed.length > 0, 'replay a message of the user');
    const lost = live.filter((id) => !replayed.includes(id)).map(quoted);
    context.see.check(
      'V072',
      lost.length > 0 && `messages have other ids in the replay than ${lost.join(', ')}`,
      back.reply,
    );
  },
  'resume/empty': async (context) => {
    const session = await context.session();
    const { reply } = await session.agent.restore('session/load', session.id);
    if (reply.error !== undefined) throw new Stopped('a session without messages was not resumed');
  },
  'resume/cursor': async (context) => {
    const { session } = await beginKeptSession(context, 'session');
    const next = await session.agent.restart();
    const changes = { replayFrom: { type: '_turnwire/nowhere' } };
    const { reply } = await next.restore('session/resume', session.id, changes);
    context.see.check('V071', failsWith(reply, -32_602, 'an unknown type of replayFrom'), reply);
  },
  'resume/active': inSession(async (session, context) => {
    await session.says('quince');
    const { reply } = await session.agent.restore('session/resume', session.id);
    context.see.check('V076', reply.error !== undefined && 'a session that is active was not resumed', reply);
  }),
  'sessions/unknown': withAgent(['session'], async ({ wire }, context) => {
    const prompt = [{ type: 'text', text: context.steer('say', { text: 'quince' }) }];
    const asked = [
      ['session/resume', { ...unknown, cwd: context.folder }],
      ['session/prompt', { ...unknown, prompt }],
    ] as const;
    for (const [method, params] of asked) {
      const reply = await wire.ask(method, params);
      const isNamed = at(reply.error, 'data', 'sessionId') === unknown.sessionId;
      const code = failsWith(reply, -32_002, `${method} for an unknown session`);
      context.see.check('V077', code || (!isNamed && 'the error does not name the session in its data'), reply);
    }
  }),
  'children/operations': inSession(async (session, context) => {
    await session.does('delegate', { text: 'quince' });
    const child = session.updates('subagent_update').at(-1)?.update;
    if (child === undefined) throw new Stopped('the agent did not delegate the task to a child session');
    const { sessionId } = child;
    // Audit rules judge how the work of the child ends.
    await session.wire.quiet(calm);
    for (const method of ['session/prompt', 'session/close']) {
      const reply = await session.wire.ask(method, { sessionId, prompt: [{ type: 'text', text: 'hello' }] });
      context.see.check('V091', failsWith(reply, -32_602, `${method} for a child session`), reply);
    }
  }),
};
