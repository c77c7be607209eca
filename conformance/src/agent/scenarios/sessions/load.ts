import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Stopped } from '../../../wire/stopped.ts';
import type { JournalEntry } from '../../../wire/journal.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { bareClient } from '../../host/client-offer.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { promptFor } from '../../steering.ts';
import { entriesOf, toolReportsIn, updatesIn } from '../../pieces/frames.ts';
import { calm, longCalm } from '../../pieces/preconditions.ts';
import { beginBusyTurn } from '../../pieces/busy-turn.ts';
import { beginKeptSession, seeRecalled } from '../../pieces/kept-session.ts';
import { refusalWords } from '../../pieces/refusal-words.ts';
import { type BroughtBack, bringBack, restart } from '../../pieces/stored-session.ts';
import { missingFrom, type Said, timesSaid, transcriptOf } from '../../pieces/transcript.ts';

/** How sessions are loaded in another process. */
export const loadScenarios: readonly AgentScenario[] = [
  {
    id: 'load/replay',
    title: 'session/load shows the whole conversation in order, then answers, and the agent knows it still',
    covers: ['R085', 'R086', 'R087', 'R180'],
    run: async (stage) => {
      const path = join(stage.folder, 'orchard.txt');
      await writeFile(path, 'The third tree is a serviceberry.\n');
      const first = promptFor(stage.settings.steering, 'read', { path });
      const { wire, sessionId, conversation, recalled } = await beginKeptSession(stage, 'loadSession', { first });
      const next = await restart(stage, wire);
      const back = await bringBack(stage, { wire: next, method: 'session/load', sessionId });
      seeReplay(stage, back, { sessionId, conversation });
      seeToolCalls(stage, back, wire.journal);
      // What is replayed after the answer is for the audit to see.
      await next.quiet(longCalm);
      await seeRecalled(stage, { wire: next, sessionId }, { recalled, requirement: 'R087' });
      // Nor may a new tool call have the id of one that was replayed.
      if (first !== undefined) await stage.prompt(next, sessionId, first);
    },
  },
  {
    id: 'load/interrupted',
    title: 'a session whose agent was stopped in the middle of a turn is loaded, with what was said before',
    covers: ['R085', 'R086'],
    client: bareClient,
    run: async (stage) => {
      const { wire, sessionId, conversation } = await beginKeptSession(stage, 'loadSession');
      await beginBusyTurn(stage, wire, sessionId);
      const next = await restart(stage, wire);
      const back = await bringBack(stage, { wire: next, method: 'session/load', sessionId });
      seeReplay(stage, back, { sessionId, conversation });
      await next.quiet(calm);
    },
  },
  {
    id: 'load/notices',
    title: 'notices are for the moment: they are not replayed',
    covers: ['R088'],
    run: seeNoNotices,
  },
];

/** Judges whether a replay holds a conversation. */
function seeReplay(
  { see }: AgentStage,
  { reply, before }: BroughtBack,
  { sessionId, conversation }: { readonly sessionId: string; readonly conversation: readonly Said[] },
): void {
  if (reply.error !== undefined)
    throw new Stopped(`session/load was refused: ${refusalWords(reply.error)}`, {
      requirement: 'R085',
      evidence: [...before, reply.entry],
    });
  const transcript = transcriptOf(before, sessionId);
  const missing = missingFrom(transcript, conversation);
  see.check('R085', missing === undefined, {
    otherwise: `the replay lacks, or has elsewhere, what the ${missing?.by} said: ${missing?.text}`,
    evidence: [...before, reply.entry],
  });
  const [opening] = conversation;
  const times = opening === undefined ? 0 : timesSaid(transcript, opening);
  see.check('R085', times <= 1, {
    otherwise: `the replay has ${times} times what the user said once: ${opening?.text}`,
    evidence: [...before, reply.entry],
  });
}

/** Judges whether a replay has tool calls, if there were any. That they have the ids they had is not required. */
function seeToolCalls({ see }: AgentStage, { reply, before }: BroughtBack, journal: readonly JournalEntry[]): void {
  const reported = toolReportsIn(journal);
  if (reported.length === 0) return;
  see.check('R085', toolReportsIn(before).length > 0, {
    otherwise: 'the replay has no tool call, though the conversation had',
    evidence: [...entriesOf(reported.slice(0, 1)), ...before, reply.entry],
  });
}

async function seeNoNotices(stage: AgentStage): Promise<void> {
  // A missing server is a reason for a notice.
  const broken = { name: 'missing', command: join(stage.folder, 'no-such-program'), args: [], env: [] };
  const { wire, sessionId } = await beginKeptSession(stage, 'loadSession', { changes: { mcpServers: [broken] } });
  const noticed = updatesIn(wire.journal).filter(({ kind }) => kind === 'notice');
  if (noticed.length === 0) throw new Stopped('the agent sent no notice');
  const titles = new Set(noticed.map(({ update }) => update['title']));
  const next = await restart(stage, wire);
  const { reply, before } = await bringBack(stage, { wire: next, method: 'session/load', sessionId });
  if (reply.error !== undefined) throw new Stopped('session/load was refused');
  const replayed = updatesIn(before).filter(({ kind, update }) => kind === 'notice' && titles.has(update['title']));
  stage.see.check('R088', replayed.length === 0, {
    otherwise: 'session/load replayed a notice',
    evidence: entriesOf(replayed),
  });
}
