import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScripts, AgentContext } from '../../agent-context.ts';
import { refusalText } from '../../failed-turn.ts';
import { beginBusyTurn } from '../../fixtures/busy-turn.ts';
import { beginKeptSession, type KeptSession, seeRecalled } from '../../fixtures/kept-session.ts';
import { calm, longCalm } from '../../fixtures/preconditions.ts';
import { missingFrom, timesSaid, transcriptOf } from '../../fixtures/transcript.ts';
import type { RestoredSession } from '../../session.ts';
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
    await seeRecalled(context, back.session, ['R087', kept.recalled]);
    // An audit rule judges that a new tool call does not reuse the id of a replayed one.
    if (first !== undefined) await back.session.prompt(first);
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

/** Loads a session in another process, and judges whether the replay contains the conversation. */
async function seeReplay({ see }: AgentContext, { session, conversation }: KeptSession): Promise<RestoredSession> {
  const back = await (await session.agent.restart()).restore('session/load', session.id);
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
