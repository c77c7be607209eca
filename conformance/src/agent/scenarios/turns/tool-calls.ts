import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEntry, RawMessage } from '../../../wire/journal.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { promptFor } from '../../steering.ts';
import { askedIn, entriesOf, isActedOn, objectsIn, toolReportsIn, type Update, wordsIn } from '../../pieces/frames.ts';
import { asMessage } from '../../../wire/messages.ts';
import { beginSession, expectDone, textOf } from '../../pieces/preconditions.ts';

const finalStatuses: ReadonlySet<unknown> = new Set(['completed', 'failed']);

/** How the agent reports what it does. */
export const toolCallsScenarios: readonly AgentScenario[] = [
  {
    id: 'tool-calls/read',
    title: 'a file that is read is reported as a tool call with an end, and its content gets to the model',
    covers: ['R153', 'R154', 'R179'],
    run: readFileByTool,
  },
  {
    id: 'tool-calls/permitted',
    title: 'a tool call that needs permission is pending, permitted, in progress and completed, in this order',
    covers: ['R150', 'R153', 'R187', 'R196'],
    run: createWithPermission,
  },
  {
    id: 'tool-calls/new-file',
    title: 'the diff of a new file has no old text, and that of a file that was there has',
    covers: ['R189'],
    run: showDiffs,
  },
  {
    id: 'tool-calls/kinds',
    title: 'whatever a tool does, its calls are reported with the kind, the places and the input they have',
    covers: ['R180', 'R181', 'R185', 'R186'],
    run: useTools,
  },
];

async function readFileByTool(stage: AgentStage): Promise<void> {
  const { wire, sessionId } = await beginSession(stage);
  const path = join(stage.folder, 'orchard.txt');
  await writeFile(path, 'The third tree is a serviceberry.\n');
  const { entries, stopReason } = await stage.prompt(wire, sessionId, stage.steer('read', { path }));
  const reports = toolReportsIn(entries);
  const isReported = wordsIn(entries).includes('serviceberry');
  expectDone(isReported || isActedOn(entries, 'orchard.txt'), 'read a file');
  stage.see.check('R179', reports.length > 0, {
    otherwise: 'the agent read a file and reported no tool call',
    evidence: entries,
  });
  if (isReported) stage.see.held('R154', 'what a tool found came up in the answer');
  else stage.see.unseen('R154', 'the agent did not say what is in the file');
  if (reports.length > 0) seeEnds(stage, reports, stopReason);
}

/** Every tool call of a turn that ended as usual must have come to an end. */
function seeEnds({ see }: AgentStage, reports: readonly Update[], stopReason: unknown): void {
  if (stopReason !== 'end_turn') return see.unseen('R153', `the turn ended with ${JSON.stringify(stopReason)}`);
  const byCall = new Map<unknown, Update[]>();
  for (const report of reports) {
    const { toolCallId } = report.update;
    byCall.set(toolCallId, [...(byCall.get(toolCallId) ?? []), report]);
  }
  const open = [...byCall.values()].filter((all) => !finalStatuses.has(statusAfter(all)));
  see.check('R153', open.length === 0, {
    otherwise: 'a tool call was neither completed nor failed when its turn ended',
    evidence: entriesOf(open.flat()),
  });
}

function statusAfter(reports: readonly Update[]): unknown {
  return reports.map(({ update }) => update['status']).findLast((status) => typeof status === 'string');
}

async function createWithPermission(stage: AgentStage): Promise<void> {
  const { wire, sessionId } = await beginSession(stage);
  const path = join(stage.folder, 'quince.txt');
  const { entries, stopReason } = await stage.prompt(wire, sessionId, stage.steer('write', { path, text: 'quince' }));
  const [asked] = askedIn(entries, 'session/request_permission');
  expectDone(asked !== undefined && (await textOf(path)) !== undefined, 'create a file with permission');
  const toolCallId = asMessage(asked.params['toolCall'])?.['toolCallId'];
  const reports = toolReportsIn(entries).filter(({ update }) => update['toolCallId'] === toolCallId);
  stage.see.check('R196', asked.params['sessionId'] === sessionId, {
    otherwise: `the question has the session ${JSON.stringify(asked.params['sessionId'])}, not that of its prompt`,
    evidence: [asked.entry],
  });
  seePermittedLife(stage, reports, { entries, asked: asked.entry });
  seeEnds(stage, toolReportsIn(entries), stopReason);
}

function seePermittedLife(
  { see }: AgentStage,
  reports: readonly Update[],
  { entries, asked }: { readonly entries: readonly JournalEntry[]; readonly asked: JournalEntry },
): void {
  const place = ({ entry }: Update): number => entries.indexOf(entry);
  const before = reports.filter((report) => place(report) < entries.indexOf(asked));
  const after = reports.filter((report) => !before.includes(report)).map(({ update }) => update['status']);
  const evidence = [...entriesOf(reports), asked];
  const statusBefore = statusAfter(before) ?? 'pending';
  see.check('R187', statusBefore === 'pending', {
    otherwise: `while permission was asked for, the tool call was ${JSON.stringify(statusBefore)}`,
    evidence,
  });
  const [running, end] = [after.indexOf('in_progress'), after.findIndex((status) => finalStatuses.has(status))];
  see.check('R150', running !== -1 && (end === -1 || running < end), {
    otherwise: 'a tool call that was permitted was never reported as in_progress',
    evidence,
  });
}

async function showDiffs(stage: AgentStage): Promise<void> {
  const { wire, sessionId } = await beginSession(stage);
  const [made, known] = [join(stage.folder, 'made.txt'), join(stage.folder, 'known.txt')];
  await writeFile(known, 'quince\n');
  await stage.prompt(wire, sessionId, stage.steer('write', { path: made, text: 'medlar' }));
  const edit = promptFor(stage.settings.steering, 'edit', { path: known, old: 'quince', new: 'medlar' });
  if (edit !== undefined) await stage.prompt(wire, sessionId, edit);
  expectDone((await textOf(made)) !== undefined, 'create a file');
  const diffs = toolReportsIn(wire.journal).flatMap(({ entry, update }) =>
    objectsIn(update['content'])
      .filter(({ type }) => type === 'diff')
      .map((diff) => ({ entry, diff })),
  );
  seeOldText(stage, diffs, { made, known });
}

interface ShownDiff {
  readonly entry: JournalEntry;
  readonly diff: RawMessage;
}

function seeOldText(
  { see }: AgentStage,
  diffs: readonly ShownDiff[],
  { made, known }: { readonly made: string; readonly known: string },
): void {
  const of = (path: string): readonly ShownDiff[] => diffs.filter(({ diff }) => diff['path'] === path);
  if (of(made).length === 0) see.unseen('R189', 'the agent showed no diff of the file it created');
  // Later ones may report an edit.
  for (const { entry, diff } of of(made).slice(0, 1))
    see.check('R189', !hasOldText(diff), {
      otherwise: 'a new file is shown with an old text',
      evidence: [entry],
    });
  for (const { entry, diff } of of(known))
    see.check('R189', hasOldText(diff), {
      otherwise: 'a file that was there is shown as new',
      evidence: [entry],
    });
}

/** Makes opportunities only: whether reports are as they must be is judged of every connection. */
async function useTools(stage: AgentStage): Promise<void> {
  const { wire, sessionId } = await beginSession(stage);
  const [path, target] = [join(stage.folder, 'orchard.txt'), join(stage.folder, 'garden.txt')];
  await writeFile(path, 'The third tree is a serviceberry.\n');
  const { steering } = stage.settings;
  const prompts = [
    promptFor(steering, 'search', { text: 'serviceberry' }),
    promptFor(steering, 'move', { path, target }),
    promptFor(steering, 'delete', { path: target }),
  ].filter((prompt) => prompt !== undefined);
  for (const prompt of prompts) await stage.prompt(wire, sessionId, prompt);
  expectDone(toolReportsIn(wire.journal).length > 0, 'search for, move and delete something');
}

function hasOldText({ oldText }: RawMessage): boolean {
  return oldText !== undefined && oldText !== null;
}
