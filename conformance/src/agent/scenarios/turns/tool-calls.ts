import { at, quoted, type RawMessage } from '../../../wire/messages.ts';
import { type AgentScripts, inSession } from '../../agent-stage.ts';
import type { Update } from '../../frames.ts';
import { expectDone } from '../../pieces/preconditions.ts';
import { promptFor } from '../../steering.ts';

/** That calls run and end as they must is judged of every connection. */
export const toolCallsScenarios: AgentScripts = {
  'tool-calls/read': inSession(async (session, stage) => {
    const path = await stage.file('orchard.txt', 'The third tree is a serviceberry.\n');
    const turn = await session.does('read', { path });
    const isReported = turn.words.includes('serviceberry');
    expectDone(isReported || turn.actsOn('orchard.txt'), 'read a file');
    const isSilent = turn.toolReports.length === 0;
    stage.see.check('R179', isSilent && 'the agent read a file and reported no tool call', turn.entries);
    if (isReported) stage.see.held('R154', 'what a tool found came up in the answer');
    else stage.see.unseen('R154', 'the agent did not say what is in the file');
  }),
  'tool-calls/permitted': inSession(async (session, stage) => {
    const turn = await session.does('write', { path: stage.path('quince.txt'), text: 'quince' });
    const [asked] = turn.asked('session/request_permission');
    const isDone = asked !== undefined && (await stage.textOf('quince.txt')) !== undefined;
    expectDone(isDone, 'create a file with permission');
    const { sessionId, toolCall } = asked.params;
    const fault = `the question has the session ${quoted(sessionId)}, not that of its prompt`;
    stage.see.check('R196', sessionId !== session.id && fault, asked);
    const reports = turn.toolReports.filter(({ update }) => update['toolCallId'] === at(toolCall, 'toolCallId'));
    const { entries } = turn;
    const before = reports.filter(({ entry }) => entries.indexOf(entry) < entries.indexOf(asked.entry));
    const status = statusAfter(before) ?? 'pending';
    const hasBegun = status !== 'pending' && `while permission was asked for, the tool call was ${quoted(status)}`;
    stage.see.check('R187', hasBegun, reports, asked);
  }),
  'tool-calls/new-file': inSession(async (session, stage) => {
    const [made, known] = [stage.path('made.txt'), await stage.file('known.txt', 'quince\n')];
    await session.does('write', { path: made, text: 'medlar' });
    const edit = promptFor(stage.settings.steering, 'edit', { path: known, old: 'quince', new: 'medlar' });
    if (edit !== undefined) await session.prompt(edit);
    expectDone((await stage.textOf('made.txt')) !== undefined, 'create a file');
    const diffs = session.toolContent('diff');
    // Later ones may report an edit.
    const creation = diffs.find(({ path }) => path === made);
    if (creation === undefined) stage.see.unseen('R189', 'the agent showed no diff of the file it created');
    else stage.see.check('R189', hasOldText(creation) && 'a new file is shown with an old text', creation);
    for (const diff of diffs.filter(({ path }) => path === known))
      stage.see.check('R189', !hasOldText(diff) && 'a file that was there is shown as new', diff);
  }),
  // Makes opportunities only: whether reports are as they must be is judged of every connection.
  'tool-calls/kinds': inSession(async (session, stage) => {
    const path = await stage.file('orchard.txt', 'The third tree is a serviceberry.\n');
    const target = stage.path('garden.txt');
    const { steering } = stage.settings;
    const prompts = [
      promptFor(steering, 'search', { text: 'serviceberry' }),
      promptFor(steering, 'move', { path, target }),
      promptFor(steering, 'delete', { path: target }),
    ];
    for (const prompt of prompts) if (prompt !== undefined) await session.prompt(prompt);
    expectDone(session.toolReports.length > 0, 'search for, move and delete something');
  }),
};

function statusAfter(reports: readonly Update[]): unknown {
  return reports.map(({ update }) => update['status']).findLast((status) => typeof status === 'string');
}

function hasOldText({ oldText }: RawMessage): boolean {
  return oldText !== undefined && oldText !== null;
}
