import { asMessage, at, objectsIn, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { Wire } from '../../../wire/wire.ts';
import { type AgentScripts, withAgent } from '../../agent-context.ts';
import { textOfError } from '../../failed-turn.ts';
import { seeTurnEnded } from '../../fixtures/busy-turn.ts';
import { beginKeptSession, seeRecalled } from '../../fixtures/kept-session.ts';
import { expectListed, listSessions, seeUnopened } from '../../fixtures/listed-sessions.ts';
import { calm } from '../../fixtures/preconditions.ts';
import { Session } from '../../session.ts';

const list = 'sessionCapabilities.list';
const archive = 'sessionCapabilities.archive';

/** Whether a session is listed after each of these requests, which are sent one after the other. */
const archiving: readonly (readonly [method: string, isListed: boolean, filter: RawMessage])[] = [
  ['session/archive', false, {}],
  ['session/archive', true, { archived: 'only' }],
  ['session/unarchive', true, {}],
  ['session/unarchive', false, { archived: 'only' }],
];

/** Unstable methods, as far as an agent offers them. Those that need only a sequence of requests are in the catalogue. */
export const unstableScenarios: AgentScripts = {
  'unstable/fork': async (context) => {
    const kept = await beginKeptSession(context, 'sessionCapabilities.fork');
    const { session } = kept;
    const reply = await done(session, 'session/fork', { cwd: context.folder, mcpServers: [] });
    const fork = new Session(session.agent, String(at(reply.result, 'sessionId')), reply);
    context.see.check('R377', fork.id === session.id && 'the fork has the id of the original session', reply);
    await seeRecalled(context, { session: fork, reply: fork.reply }, ['R378', kept]);
    await fork.says('mulberry');
    const turn = await session.does('repeat');
    const isMixed = turn.words.includes('mulberry');
    context.see.check('R379', isMixed && 'the session repeated text from its fork', reply, turn.entries);
  },
  'unstable/archive': withAgent([archive, list], async (agent, context) => {
    const session = await agent.session();
    await session.says('quince');
    expectListed(await listSessions(agent), session.id);
    for (const [method, isListed, filter] of archiving) {
      const reply = await session.ask(method);
      context.see.check('R384', reply.error !== undefined && `${method} was refused: ${textOfError(reply)}`, reply);
      const { sessions, ids, entries } = await listSessions(agent, filter);
      const fault = `after ${method} the session is ${isListed ? 'missing from' : 'still in'} the list with the filter ${quoted(filter)}`;
      context.see.check('R380', ids.includes(session.id) !== isListed && fault, reply, entries);
      const isSilent = sessions.some(({ archived }) => typeof archived !== 'boolean');
      context.see.check('R381', isSilent && 'a listed session does not say whether it is archived', entries);
    }
  }),
  'unstable/archive-turn': withAgent([archive], async (agent, context) => {
    await seeTurnEnded(context, await agent.session(), ['R383', 'session/archive']);
  }),
  'unstable/status': withAgent(['sessionCapabilities.status'], async (agent, context) => {
    const session = await agent.session();
    await session.says('quince');
    const open = await done(session, 'session/status');
    const status = at(open.result, 'status');
    context.see.check('R386', status !== 'open' && `the status of an open session is ${quoted(status)}`, open);
    await seeUnopened(context, session, ['R385', 'its status was requested', (again) => again.ask('session/status')]);
  }),
  'unstable/title': withAgent(['sessionCapabilities.title', list], async (agent, context) => {
    const session = await agent.session();
    await session.says('quince');
    const set = await done(session, 'session/set_title', { title: 'Quinces of the orchard' });
    const stored = at(set.result, 'title');
    for (const requirement of ['R387', 'R388'] as const) {
      const listed = await listSessions(agent);
      const { title } = expectListed(listed, session.id);
      const fault = `the title ${quoted(stored)} was stored, but the session is listed as ${quoted(title)}`;
      if (!context.see.check(requirement, title !== stored && fault, set, listed.entries)) return;
      // Agents generate titles after a turn.
      await session.says('medlar');
      await session.wire.quiet(calm);
    }
  }),
  // Only unused providers are changed: the headers of an active one are secret and could not be restored.
  'unstable/providers': withAgent(['providers'], async ({ wire }, { see }) => {
    const { providers } = await listProviders(wire);
    const needed = providers.find(({ required }) => required === true);
    if (needed !== undefined) {
      const refused = await wire.ask('providers/disable', { providerId: needed['providerId'] });
      see.check('R401', refused.error?.code !== -32_602 && 'a required provider could be disabled', refused);
    }
    const idle = providers.find(({ required, current }) => required === false && asMessage(current) === undefined);
    if (idle === undefined) throw new Stopped('every model provider is required or in use');
    const { providerId } = idle;
    const settings = { apiType: at(idle, 'supported', 0), baseUrl: 'http://127.0.0.1:9/quince' };
    await granted(wire, 'providers/set', { providerId, ...settings, headers: { Authorization: 'Bearer medlar' } });
    const set = await listProviders(wire, providerId);
    const isListed = ([key, value]: readonly [string, unknown]): boolean => at(set.found, 'current', key) === value;
    const differs =
      !Object.entries(settings).every(isListed) && `the provider was set to ${quoted(settings)} but is not listed so`;
    see.check(
      'R404',
      differs || (set.entry.text.includes('medlar') && 'providers/list reveals the headers of a provider'),
      set,
    );
    await granted(wire, 'providers/disable', { providerId });
    const { found, entry } = await listProviders(wire, providerId);
    const isOff = found !== undefined && asMessage(found['current']) === undefined;
    see.check('R400', !isOff && `a disabled provider is listed as ${quoted(found)}`, entry);
  }),
};

/** All model providers that an agent lists, and the one with `providerId`. */
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

/** Sends a request about a session. Stops the scenario if it is refused. */
function done({ wire, id }: Session, method: string, params?: RawMessage): Promise<Reply> {
  return granted(wire, method, { sessionId: id, ...params });
}

async function granted(wire: Wire, method: string, params?: RawMessage): Promise<Reply> {
  const reply = await wire.ask(method, params);
  if (reply.error !== undefined) throw new Stopped(`${method} was refused: ${textOfError(reply)}`);
  return reply;
}
