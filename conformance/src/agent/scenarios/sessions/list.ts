import { join } from 'node:path';
import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { asMessage } from '../../../wire/messages.ts';
import type { JournalEntry } from '../../../wire/journal.ts';
import type { Wire } from '../../../wire/wire.ts';
import { objectsIn, updatesIn } from '../../pieces/frames.ts';
import { calm } from '../../pieces/preconditions.ts';
import { expectListed, listSessions } from '../../pieces/listed-sessions.ts';
import { expectOffered, isOffered } from '../../pieces/offered.ts';
import { restart } from '../../pieces/stored-session.ts';

const offer = 'sessionCapabilities.list';
/** Sessions that make more than one page, for most agents. */
const many = 60;
/** Milliseconds they may take to begin: of a slower agent there are fewer. */
const haste = 20_000;

/** How sessions are listed. */
export const listScenarios: readonly AgentScenario[] = [
  {
    id: 'list/filter',
    title:
      'session/list returns the sessions of exactly one folder, with the titles announced before, and refuses a bad cursor',
    covers: ['R116', 'R117', 'R121', 'R129'],
    run: seeFilter,
  },
  {
    id: 'list/pages',
    title: 'many sessions are listed on several pages, each session once',
    covers: ['R122'],
    run: seePages,
  },
  {
    id: 'list/looks-only',
    title: 'session/list brings no session back: one that was only listed takes no prompt',
    covers: ['R125'],
    run: seeLooksOnly,
  },
];

async function seeFilter(stage: AgentStage): Promise<void> {
  const { wire, initialized } = await stage.ready();
  expectOffered(initialized, offer);
  const { id } = await stage.newSession(wire);
  await stage.prompt(wire, id, stage.steer('say', { text: 'quince' }));
  // A title may come a little later.
  await wire.quiet(calm);
  const listed = await listSessions(wire, stage.folder);
  await seeEmpty(stage, wire);
  const { entry, error } = await wire.ask('session/list', { cwd: stage.folder, cursor: 'no cursor of yours' });
  stage.see.check('R121', error !== undefined, {
    otherwise: 'session/list took a cursor that the agent never gave',
    evidence: [entry],
  });
  const { title } = expectListed(listed, id);
  const known = wire.journal.slice(0, wire.journal.indexOf(listed.entries[0] as JournalEntry));
  const announced = updatesIn(known).findLast(
    ({ kind, update, sessionId }) => kind === 'session_info_update' && 'title' in update && sessionId === id,
  );
  if (announced === undefined) return stage.see.unseen('R129', 'the agent announced no title');
  stage.see.check('R129', (title ?? null) === announced.update['title'], {
    otherwise: `the session was announced with the title ${JSON.stringify(announced.update['title'])} and is listed as ${JSON.stringify(title)}`,
    evidence: [announced.entry, ...listed.entries],
  });
}

/** In the folder around that of the session no session was begun. */
async function seeEmpty({ see, folder }: AgentStage, wire: Wire): Promise<void> {
  const [around, below] = [join(folder, '..'), join(folder, 'below')];
  for (const cwd of [around, below]) {
    const { entry, error, result } = await wire.ask('session/list', { cwd });
    // A folder that is not there may be called a mistake.
    if (error !== undefined && cwd === below) return;
    const isEmpty = error === undefined && objectsIn(asMessage(result)?.['sessions']).length === 0;
    const announced = error === undefined ? 'returns sessions' : 'fails instead of returning an empty list';
    see.check('R116', isEmpty, {
      otherwise: `session/list ${announced} of ${cwd}, where none was begun`,
      evidence: [entry],
    });
  }
}

async function seePages(stage: AgentStage): Promise<void> {
  const { wire, initialized } = await stage.ready();
  expectOffered(initialized, offer);
  if (!isOffered(initialized, 'sessionCapabilities.delete'))
    throw new Stopped('the agent cannot delete sessions, so many of them would be left behind');
  const begun = await stage.newSession(wire);
  const { ids: listed } = await listSessions(wire, stage.folder);
  await wire.ask('session/delete', { sessionId: begun.id });
  const ids = await beginMany(stage, wire, {
    closes: isOffered(initialized, 'sessionCapabilities.close'),
    // Some agents list only the sessions that were prompted.
    ...(!listed.includes(begun.id) && { prompt: stage.steer('say', { text: 'quince' }) }),
  });
  try {
    await seeEachOnce(stage, wire, ids);
  } finally {
    await Promise.all(ids.map((sessionId) => wire.ask('session/delete', { sessionId })));
  }
}

async function beginMany(
  stage: AgentStage,
  wire: Wire,
  { closes, prompt }: { readonly closes: boolean; readonly prompt?: string },
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const began = performance.now(); ids.length < many && performance.now() - began < haste;) {
    const begun = await Promise.all(Array.from({ length: 5 }, () => stage.newSession(wire)));
    ids.push(...begun.map(({ id }) => id));
    if (prompt !== undefined) await Promise.all(begun.map(({ id }) => stage.prompt(wire, id, prompt)));
    if (closes) await Promise.all(begun.map(({ id }) => wire.ask('session/close', { sessionId: id })));
  }
  return ids;
}

async function seeEachOnce({ see, folder }: AgentStage, wire: Wire, ids: readonly string[]): Promise<void> {
  const { pages, ids: listed, entries, isEndless } = await listSessions(wire, folder);
  if (pages.length === 1) throw new Stopped(`the agent listed all it lists of ${ids.length} sessions on one page`);
  if (!isEndless && !ids.some((id) => listed.includes(id))) throw new Stopped('the agent lists none of its sessions');
  const isOnce = !isEndless && new Set(listed).size === listed.length;
  const otherwise = 'the pages of session/list contain a session twice, or do not end';
  if (!see.check('R122', isOnce, { otherwise, evidence: entries })) return;
  const lost = ids.filter((id) => !listed.includes(id));
  see.check('R122', lost.length === 0, {
    otherwise: `${lost.length} of ${ids.length} sessions are on no page of session/list`,
    evidence: entries,
  });
}

async function seeLooksOnly(stage: AgentStage): Promise<void> {
  const { wire, initialized } = await stage.ready();
  expectOffered(initialized, offer);
  const { id: sessionId } = await stage.newSession(wire);
  await stage.prompt(wire, sessionId, stage.steer('say', { text: 'quince' }));
  const next = await restart(stage, wire);
  const prompt = stage.steer('say', { text: 'medlar' });
  const before = await stage.begin(next, sessionId, prompt).end();
  if (before.error === undefined) throw new Stopped('the agent accepts prompts for sessions that were not restored');
  const listed = await listSessions(next, stage.folder);
  expectListed(listed, sessionId);
  const after = await stage.begin(next, sessionId, prompt).end();
  stage.see.check('R125', after.error !== undefined, {
    otherwise: 'a prompt for a session that was refused is taken once the session was listed',
    evidence: [before.entry, ...listed.entries, after.entry],
  });
}
