import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { selected } from '../../host/play-host.ts';
import {
  askedIn,
  entriesOf,
  hasRunCommand,
  isActedOn,
  objectsIn,
  toolReportsIn,
  wordsIn,
} from '../../pieces/frames.ts';
import { beginSession, expectDone, textOf } from '../../pieces/preconditions.ts';

/** A client that says so, in place of saying nothing. */
const nothingOffered = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };

/** Whose files the agent works on. */
export const filesScenarios: readonly AgentScenario[] = [
  {
    id: 'files/through-client',
    title:
      'where the client offers its files, the agent sees what is not saved yet and asks for what is in the folder only',
    covers: ['R215'],
    run: useClientFiles,
  },
  {
    id: 'files/not-offered',
    title: 'where the client offers nothing, the agent reads, writes and runs by itself or not at all',
    covers: ['R206', 'R216'],
    client: nothingOffered,
    run: async (stage) => {
      await workBySelf(stage);
    },
  },
  {
    id: 'files/read-only',
    title: 'where the client lets files be read and not written, the agent does not ask it to write',
    covers: ['R206'],
    client: { fs: { readTextFile: true, writeTextFile: false } },
    run: writeBySelf,
  },
  {
    id: 'files/outside',
    title: 'nothing is written outside the working directory without permission',
    covers: ['R082', 'R215', 'R326'],
    run: stayInside,
  },
];

async function useClientFiles(stage: AgentStage): Promise<void> {
  const { wire, sessionId, host } = await beginSession(stage);
  const path = join(stage.folder, 'orchard.txt');
  await writeFile(path, 'The third tree is a serviceberry.\n');
  host.files.unsaved.set(path, 'The third tree is a mulberry.\n');
  const { entries } = await stage.prompt(wire, sessionId, stage.steer('read', { path }));
  const asked = askedIn(entries, 'fs/read_text_file');
  if (asked.length === 0) expectDone(false, 'read a file through the client');
  const isInside = ({ params }: (typeof asked)[number]): boolean => String(params['path']).startsWith(stage.folder);
  const outside = asked.filter((each) => !isInside(each));
  stage.see.check('R215', outside.length === 0, {
    otherwise: 'asked for a file of the session, the agent read another',
    evidence: entriesOf(outside),
  });
}

async function workBySelf(stage: AgentStage): Promise<void> {
  const { wire, sessionId } = await beginSession(stage);
  const [path, made, run] = ['orchard.txt', 'quince.txt', 'medlar.txt'].map((name) => join(stage.folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(path, 'The third tree is a serviceberry.\n');
  const read = await stage.prompt(wire, sessionId, stage.steer('read', { path }));
  await stage.prompt(wire, sessionId, stage.steer('write', { path: made, text: 'quince' }));
  await stage.prompt(wire, sessionId, stage.steer('run', { command: 'touch medlar.txt' }));
  const hasRead = isActedOn(read.entries, 'orchard.txt') || wordsIn(read.entries).includes('serviceberry');
  const files = askedIn(wire.journal, 'fs/');
  if (files.length > 0 || hasRead || (await textOf(made)) !== undefined)
    stage.see.check('R206', files.length === 0, {
      otherwise: 'the agent asked for files that the client does not offer',
      evidence: entriesOf(files),
    });
  else stage.see.unseen('R206', 'asked to read a file and to create one, the agent did neither');
  const terminals = askedIn(wire.journal, 'terminal/');
  if (terminals.length > 0 || (await textOf(run)) !== undefined)
    stage.see.check('R216', terminals.length === 0, {
      otherwise: 'the agent asked for terminals that the client does not offer',
      evidence: entriesOf(terminals),
    });
  else stage.see.unseen('R216', 'asked to run a command, the agent did not');
}

async function writeBySelf(stage: AgentStage): Promise<void> {
  const { wire, sessionId } = await beginSession(stage);
  const path = join(stage.folder, 'quince.txt');
  const { entries } = await stage.prompt(wire, sessionId, stage.steer('write', { path, text: 'quince' }));
  const asked = askedIn(entries, 'fs/write_text_file');
  expectDone(asked.length > 0 || (await textOf(path)) !== undefined, 'create a file');
  stage.see.check('R206', asked.length === 0, {
    otherwise: 'the agent asked the client to write, which it does not offer',
    evidence: entriesOf(asked),
  });
}

async function stayInside(stage: AgentStage): Promise<void> {
  const elsewhere = join(stage.folder, '..', 'elsewhere');
  await mkdir(elsewhere);
  const { wire, sessionId } = await beginSession(stage);
  wire.handle('session/request_permission', ({ options }) => {
    const rejecting = objectsIn(options).find(({ kind }) => kind === 'reject_once');
    return rejecting === undefined ? { outcome: { outcome: 'cancelled' } } : selected(rejecting['optionId']);
  });
  const path = join(elsewhere, 'quince.txt');
  const turn = stage.begin(wire, sessionId, stage.steer('write', { path, text: 'quince' }));
  const { entry } = await turn.end();
  const isWritten = (await textOf(path)) !== undefined;
  expectDone(isWritten || isActedOn(turn.entries, 'elsewhere'), 'create a file in another folder');
  if (hasRunCommand(turn.entries))
    throw new Stopped('asked to create a file outside, the agent ran a command, which is not a file tool');
  const evidence = [turn.request, ...entriesOf(toolReportsIn(turn.entries)), entry];
  const otherwise = 'the agent wrote outside the folder of the session without asking';
  stage.see.check('R082', !isWritten, { otherwise, evidence });
  stage.see.check('R215', !isWritten, { otherwise, evidence });
  // The protocol says SHOULD, and that is what R082 and R215 are for.
  if (isWritten) stage.see.unseen('R326', 'this agent does not treat the folder of the session as a boundary');
  else stage.see.held('R326');
}
