import { at, quoted, type RawMessage } from '../../../wire/messages.ts';
import { type AgentScripts, inSession } from '../../agent-context.ts';
import type { Update } from '../../frames.ts';
import { expectDone } from '../../fixtures/preconditions.ts';
import { promptFor } from '../../steering.ts';

/** Audit rules judge the reports themselves: how calls run, and that they end. */
export const toolCallsScenarios: AgentScripts = {
  'tool-calls/read': inSession(async (session, context) => {
    const path = await context.file('orchard.txt', 'The third tree is a serviceberry.\n');
    const turn = await session.does('read', { path });
    const isReported = turn.words.includes('serviceberry');
    expectDone(isReported || turn.actsOn('orchard.txt'), 'read a file');
    const isSilent = turn.toolReports.length === 0;
    context.see.check('R179', isSilent && 'the agent read a file without reporting a tool call', turn.entries);
    if (isReported) context.see.held('R154', 'the answer contains the result of a tool');
    else context.see.unseen('R154', 'the agent did not report the content of the file');
  }),
  'tool-calls/permitted': inSession(async (session, context) => {
    const turn = await session.does('write', { path: context.path('quince.txt'), text: 'quince' });
    const [asked] = turn.requests('session/request_permission');
    const isDone = asked !== undefined && (await context.textOf('quince.txt')) !== undefined;
    expectDone(isDone, 'create a file with permission');
    const { sessionId, toolCall } = asked.params;
    const fault = `the permission request carries the session ${quoted(sessionId)} instead of the one in the prompt`;
    context.see.check('R196', sessionId !== session.id && fault, asked);
    const reports = turn.toolReports.filter(({ update }) => update['toolCallId'] === at(toolCall, 'toolCallId'));
    const { entries } = turn;
    const before = reports.filter(({ entry }) => entries.indexOf(entry) < entries.indexOf(asked.entry));
    const status = statusAfter(before) ?? 'pending';
    const hasBegun =
      status !== 'pending' && `the tool call was ${quoted(status)} while its permission request was open`;
    context.see.check('R187', hasBegun, reports, asked);
  }),
  'tool-calls/new-file': inSession(async (session, context) => {
    const [made, known] = [context.path('made.txt'), await context.file('known.txt', 'quince\n')];
    await session.does('write', { path: made, text: 'medlar' });
    const edit = promptFor(context.settings.steering, 'edit', { path: known, old: 'quince', new: 'medlar' });
    if (edit !== undefined) await session.prompt(edit);
    expectDone((await context.textOf('made.txt')) !== undefined, 'create a file');
    const diffs = session.toolContent('diff');
    // The first diff: later ones may report an edit.
    const creation = diffs.find(({ path }) => path === made);
    if (creation === undefined) context.see.unseen('R189', 'the agent showed no diff for the file it created');
    else context.see.check('R189', hasOldText(creation) && 'the diff of a new file has an oldText', creation);
    for (const diff of diffs.filter(({ path }) => path === known))
      context.see.check('R189', !hasOldText(diff) && 'the diff of an existing file has no oldText', diff);
  }),
  // Creates opportunities only: audit rules judge the reports.
  'tool-calls/kinds': inSession(async (session, context) => {
    const path = await context.file('orchard.txt', 'The third tree is a serviceberry.\n');
    const target = context.path('garden.txt');
    const { steering } = context.settings;
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
