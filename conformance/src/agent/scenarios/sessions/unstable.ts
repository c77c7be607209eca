import { asMessage, at, objectsIn, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { Wire } from '../../../wire/wire.ts';
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
  // A provider that is in use is left alone: what stands in its headers could not be given back.
  'unstable/providers': withAgent(['providers'], async ({ wire }, { see }) => {
    const { providers } = await listProviders(wire);
    const needed = providers.find(({ required }) => required === true);
    if (needed !== undefined) {
      const refused = await wire.ask('providers/disable', { providerId: needed['providerId'] });
      see.check('R401', refused.error?.code !== -32_602 && 'a provider that is required can be disabled', refused);
    }
    const idle = providers.find(({ required, current }) => required === false && asMessage(current) === undefined);
    if (idle === undefined) throw new Stopped('each provider of models is required, or in use');
    const { providerId } = idle;
    const given = { apiType: at(idle, 'supported', 0), baseUrl: 'http://127.0.0.1:9/quince' };
    await granted(wire, 'providers/set', { providerId, ...given, headers: { Authorization: 'Bearer medlar' } });
    const set = await listProviders(wire, providerId);
    const isGiven = ([key, value]: readonly [string, unknown]): boolean => at(set.found, 'current', key) === value;
    const differs = !Object.entries(given).every(isGiven) && `it was set to ${quoted(given)}, and is not listed so`;
    see.check('R404', differs || (set.entry.text.includes('medlar') && 'the headers of a provider are listed'), set);
    await granted(wire, 'providers/disable', { providerId });
    const { found, entry } = await listProviders(wire, providerId);
    const isOff = found !== undefined && asMessage(found['current']) === undefined;
    see.check('R400', !isOff && `a provider that was disabled is listed as ${quoted(found)}`, entry);
  }),
};

/** The providers of models that an agent lists, and one of them. */
async function listProviders(
  wire: Wire,
  providerId?: unknown,
): Promise<
  Pick<Reply, 'entry'> & { readonly providers: readonly RawMessage[]; readonly found: RawMessage | undefined }
> {
  const { entry, result } = await granted(wire, 'providers/list');
  const providers = objectsIn(at(result, 'providers'));
  return { entry, providers, found: providers.find((each) => each['providerId'] === providerId) };
}

/** What is asked of a session. Stops the scenario if it is refused. */
function done({ wire, id }: Session, method: string, params?: RawMessage): Promise<Reply> {
  return granted(wire, method, { sessionId: id, ...params });
}

async function granted(wire: Wire, method: string, params?: RawMessage): Promise<Reply> {
  const reply = await wire.ask(method, params);
  if (reply.error !== undefined) throw new Stopped(`${method} was refused: ${textOfError(reply)}`);
  return reply;
}
