import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScripts, AgentStage } from '../../agent-stage.ts';
import { refusalWords } from '../../failed-turn.ts';
import { beginBusyTurn } from '../../pieces/busy-turn.ts';
import { beginKeptSession, type KeptSession, seeRecalled } from '../../pieces/kept-session.ts';
import { calm, longCalm } from '../../pieces/preconditions.ts';
import { missingFrom, timesSaid, transcriptOf } from '../../pieces/transcript.ts';
import type { BroughtBack } from '../../session.ts';
import { promptFor } from '../../steering.ts';

export const loadScenarios: AgentScripts = {
  'load/replay': async (stage) => {
    const path = await stage.file('orchard.txt', 'The third tree is a serviceberry.\n');
    const first = promptFor(stage.settings.steering, 'read', { path });
    const kept = await beginKeptSession(stage, 'loadSession', { first });
    const back = await seeReplay(stage, kept);
    // That they have the ids they had is not required.
    const reported = kept.session.toolReports;
    const isLost = reported.length > 0 && back.before.toolReports.length === 0;
    const fault = isLost && 'the replay has no tool call, though the conversation had';
    if (reported.length > 0) stage.see.check('R085', fault, reported[0], back.before.entries, back.reply);
    // What is replayed after the answer is for the audit to see.
    await back.session.wire.quiet(longCalm);
    await seeRecalled(stage, back.session, ['R087', kept.recalled]);
    // Nor may a new tool call have the id of one that was replayed.
    if (first !== undefined) await back.session.prompt(first);
  },
  'load/interrupted': async (stage) => {
    const kept = await beginKeptSession(stage, 'loadSession');
    await beginBusyTurn(stage, kept.session);
    const { session } = await seeReplay(stage, kept);
    await session.wire.quiet(calm);
  },
  'load/notices': async (stage) => {
    // A missing server is a reason for a notice.
    const broken = { name: 'missing', command: stage.path('no-such-program'), args: [], env: [] };
    const { session } = await beginKeptSession(stage, 'loadSession', { changes: { mcpServers: [broken] } });
    const titles = new Set(session.updates('notice').map(({ update }) => update['title']));
    if (titles.size === 0) throw new Stopped('the agent sent no notice');
    const { reply, before } = await (await session.agent.restart()).bringBack('session/load', session.id);
    if (reply.error !== undefined) throw new Stopped('session/load was refused');
    const replayed = before.updates('notice').filter(({ update }) => titles.has(update['title']));
    stage.see.check('R088', replayed.length > 0 && 'session/load replayed a notice', replayed);
  },
};

/** Loads a session in another process, and judges whether its replay holds the conversation. */
async function seeReplay({ see }: AgentStage, { session, conversation }: KeptSession): Promise<BroughtBack> {
  const back = await (await session.agent.restart()).bringBack('session/load', session.id);
  const { reply, before } = back;
  const evidence = [...before.entries, reply.entry];
  if (reply.error !== undefined)
    throw new Stopped(`session/load was refused: ${refusalWords(reply.error)}`, { requirement: 'R085', evidence });
  const transcript = transcriptOf(before.entries, session.id);
  const missing = missingFrom(transcript, conversation);
  const lack = missing && `the replay lacks, or has elsewhere, what the ${missing.by} said: ${missing.text}`;
  see.check('R085', lack, evidence);
  const [opening] = conversation;
  const times = opening === undefined ? 0 : timesSaid(transcript, opening);
  see.check('R085', times > 1 && `the replay has ${times} times what the user said once: ${opening?.text}`, evidence);
  return back;
}
