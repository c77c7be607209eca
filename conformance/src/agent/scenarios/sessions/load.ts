import { at, quoted } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScripts, AgentContext } from '../../agent-context.ts';
import { refusalText } from '../../failed-turn.ts';
import { beginBusyTurn } from '../../fixtures/busy-turn.ts';
import { seeFolder } from '../../fixtures/command-folder.ts';
import { beginKeptSession, type KeptSession, seeAnswered, seeRecalled } from '../../fixtures/kept-session.ts';
import { calm, longCalm } from '../../fixtures/preconditions.ts';
import { missingFrom, timesSaid, transcriptOf } from '../../fixtures/transcript.ts';
import type { Update } from '../../frames.ts';
import type { ReadyAgent, RestoredSession } from '../../session.ts';
import { promptFor } from '../../steering.ts';

export const loadScenarios: AgentScripts = {
  'load/replay': async (context) => {
    const path = await context.file('orchard.txt', 'The third tree is a serviceberry.\n');
    const first = promptFor(context.settings.steering, 'read', { path });
    const kept = await beginKeptSession(context, 'loadSession', { first });
    const back = await seeReplay(context, kept);
    // The replay need not reuse the tool call ids.
    const reported = kept.session.toolReports;
    const isLost = reported.length > 0 && back.before.toolReports.length === 0;
    const fault = isLost && 'the replay has no tool call although the conversation had one';
    if (reported.length > 0) context.see.check('R085', fault, reported[0], back.before.entries, back.reply);
    // An audit rule judges what is replayed after the answer.
    await back.session.wire.quiet(longCalm);
    await seeRecalled(context, back, ['R087', kept]);
    // An audit rule judges that a new tool call does not reuse the id of a replayed one.
    if (first !== undefined) await back.session.prompt(first);
  },
  'load/again': async (context) => {
    const path = await context.file('orchard.txt', 'The third tree is a serviceberry.\n');
    const first = promptFor(context.settings.steering, 'read', { path });
    const kept = await beginKeptSession(context, 'loadSession', { first });
    const one = await seeReplay(context, kept);
    seeWholeCalls(context, kept, one);
    // A prompt, so that an agent which stores its session only then stores it.
    const prompt = context.steer('say', { text: 'sorb' });
    await seeAnswered(context, one, { prompt, longest: kept.longest });
    const other = await seeReplay(context, kept, one.session.agent);
    seeWholeCalls(context, kept, other);
    seeOnce(context, kept, [one, other]);
    const fresh = await other.session.agent.askForSession();
    const isReused = at(fresh.result, 'sessionId') === kept.session.id;
    const reused = 'a new session of another process has the id of one that can be loaded';
    context.see.check('R411', isReused && reused, kept.session.reply, fresh);
    await seeFolder(context, other.session, 'R080');
  },
  'load/interrupted': async (context) => {
    const kept = await beginKeptSession(context, 'loadSession');
    await beginBusyTurn(context, kept.session);
    const { session } = await seeReplay(context, kept);
    await session.wire.quiet(calm);
  },
  'load/notices': async (context) => {
    // A missing MCP server may cause a notice. Version 2 names the type of the server.
    const typed = context.version === 2 ? { type: 'stdio' } : {};
    const broken = { name: 'missing', command: context.path('no-such-program'), args: [], env: [], ...typed };
    const { session } = await beginKeptSession(context, 'loadSession', { changes: { mcpServers: [broken] } });
    const titles = new Set(session.updates('notice').map(({ update }) => update['title']));
    if (titles.size === 0) throw new Stopped('the agent sent no notice');
    const { reply, before } = await (await session.agent.restart()).restore('session/load', session.id);
    if (reply.error !== undefined) throw new Stopped('session/load was refused');
    const replayed = before.updates('notice').filter(({ update }) => titles.has(update['title']));
    context.see.check('R088', replayed.length > 0 && 'session/load replayed a notice', replayed);
  },
};

/** Judges that the second replay has nothing twice that the first one has once. */
function seeOnce(
  { see }: AgentContext,
  { session: { id }, conversation }: KeptSession,
  replays: readonly RestoredSession[],
): void {
  const [one, other] = replays.map(({ before }) => {
    const transcript = transcriptOf(before.entries, id);
    const said = conversation.map((message) => timesSaid(transcript, message));
    // A later turn may have made calls of its own.
    const calls = before.updates('tool_call').map(({ update }) => update['toolCallId']);
    return [...said, Math.max(0, ...calls.map((id) => calls.filter((each) => each === id).length))];
  });
  const doubled = other?.some((times, nth) => times > 1 && times >= 2 * (one?.[nth] ?? 0) && one?.[nth] !== 0);
  const fault = doubled === true && 'after a session was loaded, its next replay has the earlier conversation twice';
  see.check(
    'R085',
    fault,
    replays.map(({ before, reply }) => [...before.entries.slice(0, 1), reply]),
  );
}

/** Judges that a replay has each tool call with its beginning and its end. */
function seeWholeCalls(
  { see, version }: AgentContext,
  { session }: KeptSession,
  { before, reply }: RestoredSession,
): void {
  const of = (id: unknown): readonly Update[] => before.toolReports.filter(({ update }) => update['toolCallId'] === id);
  const wereEnded = [...statusesOf(session.toolReports).values()].every((status) => ends.includes(status));
  for (const [id, status] of statusesOf(before.toolReports)) {
    const [first] = of(id);
    const isBegun = version === 2 || first?.kind === 'tool_call';
    see.check(
      'R406',
      !isBegun && `the replay has updates of the tool call ${quoted(id)}, but not the call itself`,
      first,
      reply,
    );
    const fault =
      wereEnded &&
      !ends.includes(status) &&
      `the tool call ${quoted(id)} had ended, but its replay leaves it ${quoted(status)}`;
    see.check('R406', fault, of(id), reply);
  }
}

const ends: readonly unknown[] = ['completed', 'failed', 'cancelled'];

/** The last status of each tool call. */
function statusesOf(reports: readonly Update[]): ReadonlyMap<unknown, unknown> {
  const statuses = new Map<unknown, unknown>();
  for (const { update } of reports) {
    const id = update['toolCallId'];
    statuses.set(id, update['status'] ?? statuses.get(id) ?? 'pending');
  }
  return statuses;
}

/** Loads a session in another process, and judges whether the replay contains the conversation. */
async function seeReplay(
  { see }: AgentContext,
  { session, conversation }: KeptSession,
  agent: ReadyAgent = session.agent,
): Promise<RestoredSession> {
  const back = await (await agent.restart()).restore('session/load', session.id);
  const { reply, before } = back;
  const evidence = [...before.entries, reply.entry];
  if (reply.error !== undefined)
    throw new Stopped(`session/load was refused: ${refusalText(reply.error)}`, { requirement: 'R085', evidence });
  const transcript = transcriptOf(before.entries, session.id);
  const missing = missingFrom(transcript, conversation);
  const lack = missing && `a message of the ${missing.by} is missing from the replay or out of order: ${missing.text}`;
  see.check('R085', lack, evidence);
  const [opening] = conversation;
  const times = opening === undefined ? 0 : timesSaid(transcript, opening);
  see.check(
    'R085',
    times > 1 && `the replay contains a message of the user ${times} times instead of once: ${opening?.text}`,
    evidence,
  );
  return back;
}
