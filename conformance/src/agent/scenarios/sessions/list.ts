import { join } from 'node:path';
import type { Evidence } from '../../../verdict/observer.ts';
import { at, type JournalEntry, objectsIn, quoted } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { Wire } from '../../../wire/wire.ts';
import { type AgentScripts, type AgentContext, withAgent } from '../../agent-context.ts';
import { framesOf } from '../../frames.ts';
import { expectListed, listSessions, seeUnopened } from '../../fixtures/listed-sessions.ts';
import { calm } from '../../fixtures/preconditions.ts';
import type { ReadyAgent, Session } from '../../session.ts';

const offer = 'sessionCapabilities.list';
/** Enough sessions for more than one page with most agents. */
const many = 60;
/** Time limit for creating them, in answer timeouts. A slower agent gets fewer sessions. */
const creationTimeouts = 2;

export const listScenarios: AgentScripts = {
  'list/filter': async (context) => {
    const session = await saidSession(context);
    const { wire } = session;
    // The title may arrive a little later.
    await wire.quiet(calm);
    const listed = await listSessions(session.agent);
    await seeEmpty(context, wire);
    const odd = await wire.ask('session/list', { cwd: context.folder, cursor: 'no cursor of yours' });
    context.see.check(
      'R121',
      odd.error === undefined && 'session/list accepted a cursor that the agent never issued',
      odd,
    );
    const { title } = expectListed(listed, session.id);
    const known = wire.journal.slice(0, wire.journal.indexOf(listed.entries[0] as JournalEntry));
    const announced = framesOf(known)
      .updates('session_info_update')
      .findLast(({ update, sessionId }) => 'title' in update && sessionId === session.id);
    if (announced === undefined) return context.see.unseen('R129', 'the agent announced no title');
    const before = announced.update['title'];
    const fault = `the session was announced with the title ${quoted(before)} and is listed as ${quoted(title)}`;
    context.see.check('R129', (title ?? null) !== before && fault, announced, listed.entries);
  },
  'list/pages': withAgent([offer], async (agent, context) => {
    if (!agent.offers('sessionCapabilities.delete'))
      throw new Stopped('the agent cannot delete sessions, and this would leave many of them behind');
    const first = await agent.session();
    // Some agents list only sessions with a prompt.
    const isListed = (await listSessions(agent)).ids.includes(first.id);
    await first.ask('session/delete');
    const sessions = await beginMany(context, agent, async (session) => {
      if (!isListed) await session.says('quince');
      if (agent.offers('sessionCapabilities.close')) await session.ask('session/close');
    });
    try {
      await seeEachOnce(
        context,
        agent,
        sessions.map(({ id }) => id),
      );
    } finally {
      await Promise.all(sessions.map((session) => session.ask('session/delete')));
    }
  }),
  'list/looks-only': async (context) => {
    const session = await saidSession(context);
    const list = async ({ agent }: Session): Promise<Evidence> => {
      const listed = await listSessions(agent);
      expectListed(listed, session.id);
      return listed.entries;
    };
    await seeUnopened(context, session, ['R125', 'the session was listed', list]);
  },
};

/** A session with one turn, of an agent that lists sessions. */
async function saidSession(context: AgentContext): Promise<Session> {
  const agent = await context.ready();
  agent.expectOffered(offer);
  const session = await agent.session();
  await session.says('quince');
  return session;
}

/** Judges that `session/list` is empty for folders without sessions: the parent of the session's folder, and a missing folder below it. */
async function seeEmpty({ see, folder }: AgentContext, wire: Wire): Promise<void> {
  const [around, below] = [join(folder, '..'), join(folder, 'below')];
  for (const cwd of [around, below]) {
    const reply = await wire.ask('session/list', { cwd });
    const isRefused = reply.error !== undefined;
    // A missing folder may be refused as an error.
    if (isRefused && cwd === below) return;
    const isEmpty = !isRefused && objectsIn(at(reply.result, 'sessions')).length === 0;
    const how = isRefused ? 'fails instead of returning an empty list' : 'returns sessions';
    see.check('R116', !isEmpty && `session/list ${how} for ${cwd}, where no session was created`, reply);
  }
}

async function beginMany(
  { settings: { timeouts } }: AgentContext,
  agent: ReadyAgent,
  use: (session: Session) => Promise<void>,
): Promise<readonly Session[]> {
  const sessions: Session[] = [];
  const end = performance.now() + creationTimeouts * timeouts.answer;
  while (sessions.length < many && performance.now() < end) {
    const begun = await Promise.all(Array.from({ length: 5 }, () => agent.session()));
    sessions.push(...begun);
    await Promise.all(begun.map((session) => use(session)));
  }
  return sessions;
}

async function seeEachOnce({ see }: AgentContext, agent: ReadyAgent, ids: readonly string[]): Promise<void> {
  const { pages, ids: listed, entries, isEndless } = await listSessions(agent);
  if (pages.length === 1) throw new Stopped(`the agent listed its sessions on one page, although ${ids.length} exist`);
  if (!isEndless && !ids.some((id) => listed.includes(id)))
    throw new Stopped('the agent does not list any of its sessions');
  const isOnce = !isEndless && new Set(listed).size === listed.length;
  const fault = 'the pages of session/list contain a session twice, or do not end';
  if (!see.check('R122', !isOnce && fault, entries)) return;
  const lost = ids.filter((id) => !listed.includes(id)).length;
  see.check(
    'R122',
    lost > 0 && `${lost} of ${ids.length} sessions are missing from the pages of session/list`,
    entries,
  );
}
