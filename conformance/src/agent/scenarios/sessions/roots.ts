import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Stopped } from '../../../wire/stopped.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { bareClient } from '../../host/client-offer.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { askedIn, hasRunCommand, toolReportsIn } from '../../pieces/frames.ts';
import { expectDone, textOf } from '../../pieces/preconditions.ts';
import { expectOffered, isOffered } from '../../pieces/offered.ts';
import { isReported, readThroughAgent, type Wanted } from '../../pieces/file-access.ts';
import { bringBack, letGo, restart } from '../../pieces/stored-session.ts';
import { tryNewSession } from '../../pieces/try-new-session.ts';

const additional = 'sessionCapabilities.additionalDirectories';

/** The folders of a session. */
export const rootScenarios: readonly AgentScenario[] = [
  {
    id: 'roots/invalid',
    title: 'additional folders that are not absolute paths are refused, and no session begins',
    covers: ['R097'],
    run: async (stage) => {
      const { wire, initialized } = await stage.ready();
      expectOffered(initialized, additional);
      await tryNewSession(stage, wire, { additionalDirectories: [] });
      for (const additionalDirectories of [['relative/path'], [''], [null], 'folder']) {
        const params = { cwd: stage.folder, mcpServers: [], additionalDirectories };
        const { entry, error } = await wire.ask('session/new', params);
        stage.see.check('R097', error !== undefined, {
          otherwise: `a session began with additionalDirectories ${JSON.stringify(additionalDirectories)}`,
          evidence: [entry],
        });
      }
    },
  },
  {
    id: 'roots/base',
    title:
      'with a further folder relative paths still begin at the working directory, and the folder is used or refused',
    covers: ['R081', 'R100'],
    client: bareClient,
    run: seeBase,
  },
  {
    id: 'roots/boundary',
    title: 'files outside the folders of a session are not touched without a question, by no link either',
    covers: ['R082', 'R101'],
    client: bareClient,
    run: seeBoundary,
  },
  {
    id: 'roots/forgotten',
    title: 'a session that is restored without its additional folder cannot access it',
    covers: ['R098'],
    client: bareClient,
    run: seeForgotten,
  },
];

async function seeBase(stage: AgentStage): Promise<void> {
  const further = await folderBeside(stage, 'second-root');
  const { wire, initialized } = await stage.ready();
  expectOffered(initialized, additional);
  const { id: sessionId } = await tryNewSession(stage, wire, { additionalDirectories: [further] });
  const own = await fileIn(stage.folder, 'marten');
  const other = await fileIn(further, 'weasel');
  await seeUsed(stage, { wire, sessionId }, { own, other });
  const { reply } = await stage.prompt(wire, sessionId, stage.steer('write', { path: 'quince.txt', text: 'quince' }));
  const isElsewhere = (await textOf(join(further, 'quince.txt'))) !== undefined;
  expectDone(isElsewhere || (await textOf(join(stage.folder, 'quince.txt'))) !== undefined, 'create a file');
  stage.see.check('R081', !isElsewhere, {
    otherwise: 'a relative path led into the further folder',
    evidence: [reply.entry],
  });
}

/** Of a folder that was taken, files are read as they are of the working directory. */
async function seeUsed(
  stage: AgentStage,
  session: { readonly wire: Wire; readonly sessionId: string },
  { own, other }: { readonly own: Wanted; readonly other: Wanted },
): Promise<void> {
  if ((await readThroughAgent(stage, session, own)).outcome !== 'given') return;
  const { outcome, entries } = await readThroughAgent(stage, session, other);
  if (outcome === 'asked') return;
  stage.see.check('R100', outcome === 'given', {
    otherwise: 'the session began with the further folder, whose files were refused all the same',
    evidence: entries,
  });
}

async function seeBoundary(stage: AgentStage): Promise<void> {
  const outside = await folderBeside(stage, 'outside');
  const secret = await fileIn(outside, 'weasel');
  const link = join(stage.folder, 'link.txt');
  await symlink(secret.path, link);
  const { wire, initialized } = await stage.ready();
  const { id: sessionId } = await stage.newSession(wire);
  await expectObedience(stage, { wire, sessionId });
  await seeWriteOutside(stage, { wire, sessionId }, join(outside, 'quince.txt'));
  if ((await readThroughAgent(stage, { wire, sessionId }, secret)).outcome === 'given')
    throw new Stopped('the agent reads files outside the folders of the session as well');
  const { outcome, entries } = await readThroughAgent(stage, { wire, sessionId }, { ...secret, path: link });
  const otherwise = 'a file outside, which is not read by its own path, was read through a symbolic link';
  // It is asked of those who say that they keep to the folders of a session.
  if (outcome === 'given' && !isOffered(initialized, additional))
    throw new Stopped(`${otherwise}, by an agent that does not advertise ${additional}`);
  stage.see.check('R101', outcome !== 'given', { otherwise, evidence: entries });
}

/** Continues only if the agent writes and reads files of its folder when it is asked to: then it may do so elsewhere. */
async function expectObedience(
  stage: AgentStage,
  session: { readonly wire: Wire; readonly sessionId: string },
): Promise<void> {
  const own = await fileIn(stage.folder, 'marten');
  const { entries } = await readThroughAgent(stage, session, own);
  expectDone(isReported(entries, own), 'read a file');
  const path = join(stage.folder, 'own.txt');
  await stage.prompt(session.wire, session.sessionId, stage.steer('write', { path, text: 'quince' }));
  expectDone((await textOf(path)) !== undefined, 'create a file');
}

async function seeWriteOutside(
  stage: AgentStage,
  { wire, sessionId }: { readonly wire: Wire; readonly sessionId: string },
  path: string,
): Promise<void> {
  const { entries } = await stage.prompt(wire, sessionId, stage.steer('write', { path, text: 'quince' }));
  const isAsked = askedIn(entries, 'session/request_permission').length > 0;
  const isWritten = (await textOf(path)) !== undefined;
  if (hasRunCommand(entries))
    return stage.see.unseen(
      'R082',
      'asked to create a file outside, the agent ran a command, which is not a file tool',
    );
  if (!isAsked && !isWritten && toolReportsIn(entries).length === 0)
    return stage.see.unseen('R082', 'asked to create a file outside, the agent did not try');
  stage.see.check('R082', isAsked || !isWritten, {
    otherwise: 'a file outside the folders of the session was created without a question',
    evidence: entries,
  });
}

async function seeForgotten(stage: AgentStage): Promise<void> {
  const further = await folderBeside(stage, 'second-root');
  const [inside, outside] = [
    await fileIn(further, 'weasel'),
    await fileIn(await folderBeside(stage, 'outside'), 'polecat'),
  ];
  const { wire, initialized } = await stage.ready();
  expectOffered(initialized, additional);
  const methods = waysBack(initialized);
  const { id: sessionId } = await tryNewSession(stage, wire, { additionalDirectories: [further] });
  if ((await readThroughAgent(stage, { wire, sessionId }, inside)).outcome !== 'given')
    throw new Stopped('the agent does not read files of a further folder without a question');
  if ((await readThroughAgent(stage, { wire, sessionId }, outside)).outcome === 'given')
    throw new Stopped('the agent reads files outside the folders of the session as well');
  let next = await restart(stage, wire);
  for (const [method, changes] of methods) {
    const { reply } = await bringBack(stage, { wire: next, method, sessionId, changes });
    if (reply.error !== undefined) throw new Stopped(`${method} was refused`);
    const { outcome, entries } = await readThroughAgent(stage, { wire: next, sessionId }, inside);
    stage.see.check('R098', outcome !== 'given', {
      otherwise: `after ${method} without additionalDirectories a file of the earlier folder was read`,
      evidence: [reply.entry, ...entries],
    });
    if (method !== methods.at(-1)?.[0]) next = await letGo(stage, { wire: next, sessionId, initialized });
  }
}

function waysBack(
  initialized: Parameters<typeof isOffered>[0],
): readonly (readonly ['session/load' | 'session/resume', object & Record<string, unknown>])[] {
  const ways = [
    ...(isOffered(initialized, 'loadSession') ? [['session/load', {}] as const] : []),
    ...(isOffered(initialized, 'sessionCapabilities.resume')
      ? [['session/resume', { additionalDirectories: [] }] as const]
      : []),
  ];
  if (ways.length === 0) throw new Stopped('neither loadSession nor sessionCapabilities.resume is advertised');
  return ways;
}

async function folderBeside({ folder }: AgentStage, name: string): Promise<string> {
  const path = join(folder, '..', name);
  await mkdir(path, { recursive: true });
  return path;
}

/** A file in a folder, with a word in it. */
async function fileIn(folder: string, name: string): Promise<Wanted> {
  const wanted = { path: join(folder, `${name}.txt`), word: `word-of-the-${name}` };
  await writeFile(wanted.path, `${wanted.word}\n`);
  return wanted;
}
