import { join } from 'node:path';
import type { Shown } from '../../../verdict/observer.ts';
import { at, type JournalEntry, objectsIn, quoted } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { Wire } from '../../../wire/wire.ts';
import { type AgentScripts, type AgentStage, withAgent } from '../../agent-stage.ts';
import { framesOf } from '../../frames.ts';
import { expectListed, listSessions, seeUnopened } from '../../pieces/listed-sessions.ts';
import { calm } from '../../pieces/preconditions.ts';
import type { ReadyAgent, Session } from '../../session.ts';

const offer = 'sessionCapabilities.list';
/** Sessions that make more than one page, for most agents. */
const many = 60;
/** How many times as long as one answer they may take to begin: of a slower agent there are fewer. */
const haste = 2;

export const listScenarios: AgentScripts = {
  'list/filter': async (stage) => {
    const session = await saidSession(stage);
    const { wire } = session;
    // A title may come a little later.
    await wire.quiet(calm);
    const listed = await listSessions(session.agent);
    await seeEmpty(stage, wire);
    const odd = await wire.ask('session/list', { cwd: stage.folder, cursor: 'no cursor of yours' });
    stage.see.check('R121', odd.error === undefined && 'session/list took a cursor that the agent never gave', odd);
    const { title } = expectListed(listed, session.id);
    const known = wire.journal.slice(0, wire.journal.indexOf(listed.entries[0] as JournalEntry));
    const announced = framesOf(known)
      .updates('session_info_update')
      .findLast(({ update, sessionId }) => 'title' in update && sessionId === session.id);
    if (announced === undefined) return stage.see.unseen('R129', 'the agent announced no title');
    const before = announced.update['title'];
    const fault = `the session was announced with the title ${quoted(before)} and is listed as ${quoted(title)}`;
    stage.see.check('R129', (title ?? null) !== before && fault, announced, listed.entries);
  },
  'list/pages': withAgent([offer], async (agent, stage) => {
    if (!agent.offers('sessionCapabilities.delete'))
      throw new Stopped('the agent cannot delete sessions, so many of them would be left behind');
    const first = await agent.session();
    // Some agents list only the sessions that were prompted.
    const isListed = (await listSessions(agent)).ids.includes(first.id);
    await first.ask('session/delete');
    const sessions = await beginMany(stage, agent, async (session) => {
      if (!isListed) await session.says('quince');
      if (agent.offers('sessionCapabilities.close')) await session.ask('session/close');
    });
    try {
      await seeEachOnce(
        stage,
        agent,
        sessions.map(({ id }) => id),
      );
    } finally {
      await Promise.all(sessions.map((session) => session.ask('session/delete')));
    }
  }),
  'list/looks-only': async (stage) => {
    const session = await saidSession(stage);
    const list = async ({ agent }: Session): Promise<Shown> => {
      const listed = await listSessions(agent);
      expectListed(listed, session.id);
      return listed.entries;
    };
    await seeUnopened(stage, session, ['R125', 'the session was listed', list]);
  },
};

/** A session of an agent that lists them, in which something was said. */
async function saidSession(stage: AgentStage): Promise<Session> {
  const agent = await stage.ready();
  agent.expectOffered(offer);
  const session = await agent.session();
  await session.says('quince');
  return session;
}

/** In the folder around that of the session no session was begun. */
async function seeEmpty({ see, folder }: AgentStage, wire: Wire): Promise<void> {
  const [around, below] = [join(folder, '..'), join(folder, 'below')];
  for (const cwd of [around, below]) {
    const reply = await wire.ask('session/list', { cwd });
    const isRefused = reply.error !== undefined;
    // A folder that is not there may be called a mistake.
    if (isRefused && cwd === below) return;
    const isEmpty = !isRefused && objectsIn(at(reply.result, 'sessions')).length === 0;
    const how = isRefused ? 'fails instead of returning an empty list' : 'returns sessions';
    see.check('R116', !isEmpty && `session/list ${how} of ${cwd}, where none was begun`, reply);
  }
}

async function beginMany(
  { settings: { patience } }: AgentStage,
  agent: ReadyAgent,
  use: (session: Session) => Promise<void>,
): Promise<readonly Session[]> {
  const sessions: Session[] = [];
  const end = performance.now() + haste * patience.answer;
  while (sessions.length < many && performance.now() < end) {
    const begun = await Promise.all(Array.from({ length: 5 }, () => agent.session()));
    sessions.push(...begun);
    await Promise.all(begun.map((session) => use(session)));
  }
  return sessions;
}

async function seeEachOnce({ see }: AgentStage, agent: ReadyAgent, ids: readonly string[]): Promise<void> {
  const { pages, ids: listed, entries, isEndless } = await listSessions(agent);
  if (pages.length === 1) throw new Stopped(`the agent listed all it lists of ${ids.length} sessions on one page`);
  if (!isEndless && !ids.some((id) => listed.includes(id))) throw new Stopped('the agent lists none of its sessions');
  const isOnce = !isEndless && new Set(listed).size === listed.length;
  const fault = 'the pages of session/list contain a session twice, or do not end';
  if (!see.check('R122', !isOnce && fault, entries)) return;
  const lost = ids.filter((id) => !listed.includes(id)).length;
  see.check('R122', lost > 0 && `${lost} of ${ids.length} sessions are on no page of session/list`, entries);
}
