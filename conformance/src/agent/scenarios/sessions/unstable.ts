import { at, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, withAgent } from '../../agent-stage.ts';
import { textOfError } from '../../failed-turn.ts';
import { seeTurnEnded } from '../../pieces/busy-turn.ts';
import { beginKeptSession, seeRecalled } from '../../pieces/kept-session.ts';
import { expectListed, listSessions, seeUnopened } from '../../pieces/listed-sessions.ts';
import { calm } from '../../pieces/preconditions.ts';
import { Session } from '../../session.ts';

const list = 'sessionCapabilities.list';
const archive = 'sessionCapabilities.archive';

/** Where a session is after each request, one after the other. */
const archiving: readonly (readonly [method: string, isListed: boolean, filter: RawMessage])[] = [
  ['session/archive', false, {}],
  ['session/archive', true, { archived: 'only' }],
  ['session/unarchive', true, {}],
  ['session/unarchive', false, { archived: 'only' }],
];

/** What the unstable methods do, as far as an agent offers them. What is one request after the other is in the catalogue. */
export const unstableScenarios: AgentScripts = {
  'unstable/fork': async (stage) => {
    const { session, recalled } = await beginKeptSession(stage, 'sessionCapabilities.fork');
    const reply = await done(session, 'session/fork', { cwd: stage.folder, mcpServers: [] });
    const fork = new Session(session.agent, String(at(reply.result, 'sessionId')), reply);
    stage.see.check('R377', fork.id === session.id && 'the fork has the id of its session', reply);
    await seeRecalled(stage, fork, ['R378', recalled]);
    await fork.says('mulberry');
    const turn = await session.does('repeat');
    const isMixed = turn.words.includes('mulberry');
    stage.see.check('R379', isMixed && 'the session repeats what was said in its fork', reply, turn.entries);
  },
  'unstable/archive': withAgent([archive, list], async (agent, stage) => {
    const session = await agent.session();
    await session.says('quince');
    expectListed(await listSessions(agent), session.id);
    for (const [method, isListed, filter] of archiving) {
      const reply = await session.ask(method);
      stage.see.check('R384', reply.error !== undefined && `${method} was refused: ${textOfError(reply)}`, reply);
      const { sessions, ids, entries } = await listSessions(agent, filter);
      const fault = `after ${method} the session is ${isListed ? 'not ' : ''}on the list ${quoted(filter)}`;
      stage.see.check('R380', ids.includes(session.id) !== isListed && fault, reply, entries);
      const isSilent = sessions.some(({ archived }) => typeof archived !== 'boolean');
      stage.see.check('R381', isSilent && 'of a listed session it is not said whether it is archived', entries);
    }
  }),
  'unstable/archive-turn': withAgent([archive], async (agent, stage) => {
    await seeTurnEnded(stage, await agent.session(), ['R383', 'session/archive']);
  }),
  'unstable/status': withAgent(['sessionCapabilities.status'], async (agent, stage) => {
    const session = await agent.session();
    await session.says('quince');
    const open = await done(session, 'session/status');
    const status = at(open.result, 'status');
    stage.see.check('R386', status !== 'open' && `the status of an open session is ${quoted(status)}`, open);
    await seeUnopened(stage, session, ['R385', 'its status was asked for', (again) => again.ask('session/status')]);
  }),
  'unstable/title': withAgent(['sessionCapabilities.title', list], async (agent, stage) => {
    const session = await agent.session();
    await session.says('quince');
    const set = await done(session, 'session/set_title', { title: 'Quinces of the orchard' });
    const stored = at(set.result, 'title');
    for (const requirement of ['R387', 'R388'] as const) {
      const listed = await listSessions(agent);
      const { title } = expectListed(listed, session.id);
      const fault = `the title ${quoted(stored)} was stored, and the session is listed as ${quoted(title)}`;
      if (!stage.see.check(requirement, title !== stored && fault, set, listed.entries)) return;
      // A title that is made up comes after a turn.
      await session.says('medlar');
      await session.wire.quiet(calm);
    }
  }),
};

/** What is asked of a session. Stops the scenario if it is refused. */
async function done(session: Session, method: string, params?: RawMessage): Promise<Reply> {
  const reply = await session.ask(method, params);
  if (reply.error !== undefined) throw new Stopped(`${method} was refused: ${textOfError(reply)}`);
  return reply;
}
