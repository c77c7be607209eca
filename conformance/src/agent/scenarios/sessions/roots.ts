import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScripts, AgentStage } from '../../agent-stage.ts';
import { isReported, readThrough, type Wanted } from '../../pieces/file-access.ts';
import { expectDone } from '../../pieces/preconditions.ts';
import type { Session } from '../../session.ts';

const additional = 'sessionCapabilities.additionalDirectories';

export const rootScenarios: AgentScripts = {
  'roots/base': async (stage) => {
    const other = await fileIn(stage, '../second-root', 'weasel');
    const agent = await stage.ready();
    agent.expectOffered(additional);
    const session = await agent.trySession({ additionalDirectories: [stage.path('../second-root')] });
    // Of a folder that was taken, files are read as they are of the working directory.
    if ((await readThrough(session, await fileIn(stage, '', 'marten'))).outcome === 'given') {
      const { outcome, turn } = await readThrough(session, other);
      const fault = 'the session began with the further folder, whose files were refused all the same';
      if (outcome !== 'asked') stage.see.check('R100', outcome !== 'given' && fault, turn.entries);
    }
    const turn = await session.does('write', { path: 'quince.txt', text: 'quince' });
    const isElsewhere = (await stage.textOf('../second-root/quince.txt')) !== undefined;
    expectDone(isElsewhere || (await stage.textOf('quince.txt')) !== undefined, 'create a file');
    stage.see.check('R081', isElsewhere && 'a relative path led into the further folder', turn);
  },
  'roots/boundary': async (stage) => {
    const secret = await fileIn(stage, '../outside', 'weasel');
    const link = stage.path('link.txt');
    await symlink(secret.path, link);
    const session = await stage.session();
    await expectObedience(stage, session);
    await seeWriteOutside(stage, session);
    if ((await readThrough(session, secret)).outcome === 'given')
      throw new Stopped('the agent reads files outside the folders of the session as well');
    const { outcome, turn } = await readThrough(session, { ...secret, path: link });
    const fault = 'a file outside, which is not read by its own path, was read through a symbolic link';
    // It is asked of those who say that they keep to the folders of a session.
    if (outcome === 'given' && !session.agent.offers(additional))
      throw new Stopped(`${fault}, by an agent that does not advertise ${additional}`);
    stage.see.check('R101', outcome === 'given' && fault, turn.entries);
  },
  'roots/forgotten': async (stage) => {
    const [inside, outside] = [
      await fileIn(stage, '../second-root', 'weasel'),
      await fileIn(stage, '../outside', 'polecat'),
    ];
    const agent = await stage.ready();
    agent.expectOffered(additional);
    const ways = agent.waysBack();
    const session = await agent.trySession({ additionalDirectories: [stage.path('../second-root')] });
    if ((await readThrough(session, inside)).outcome !== 'given')
      throw new Stopped('the agent does not read files of a further folder without a question');
    if ((await readThrough(session, outside)).outcome === 'given')
      throw new Stopped('the agent reads files outside the folders of the session as well');
    let next = await agent.restart();
    for (const way of ways) {
      const changes = way === 'session/load' ? {} : { additionalDirectories: [] };
      const back = await next.bringBack(way, session.id, changes);
      if (back.reply.error !== undefined) throw new Stopped(`${way} was refused`);
      const { outcome, turn } = await readThrough(back.session, inside);
      const fault = `after ${way} without additionalDirectories a file of the earlier folder was read`;
      stage.see.check('R098', outcome === 'given' && fault, back.reply, turn.entries);
      if (way !== ways.at(-1)) next = await back.session.letGo();
    }
  },
};

/** Continues only if the agent writes and reads files of its folder when it is asked to: then it may do so elsewhere. */
async function expectObedience(stage: AgentStage, session: Session): Promise<void> {
  const own = await fileIn(stage, '', 'marten');
  expectDone(isReported((await readThrough(session, own)).turn, own.word), 'read a file');
  await session.does('write', { path: stage.path('own.txt'), text: 'quince' });
  expectDone((await stage.textOf('own.txt')) !== undefined, 'create a file');
}

async function seeWriteOutside(stage: AgentStage, session: Session): Promise<void> {
  const turn = await session.does('write', { path: stage.path('../outside/quince.txt'), text: 'quince' });
  const isAsked = turn.asked('session/request_permission').length > 0;
  const isWritten = (await stage.textOf('../outside/quince.txt')) !== undefined;
  const what = 'asked to create a file outside, the agent';
  if (turn.hasRunCommand) return stage.see.unseen('R082', `${what} ran a command, which is not a file tool`);
  if (!isAsked && !isWritten && turn.toolReports.length === 0) return stage.see.unseen('R082', `${what} did not try`);
  const fault = 'a file outside the folders of the session was created without a question';
  stage.see.check('R082', !isAsked && isWritten && fault, turn.entries);
}

/** A file with a word in it, in a folder beside that of the scenario or in it. */
async function fileIn(stage: AgentStage, folder: string, name: string): Promise<Wanted> {
  const word = `word-of-the-${name}`;
  return { path: await stage.file(join(folder, `${name}.txt`), `${word}\n`), word };
}
