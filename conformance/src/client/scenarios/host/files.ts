import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { at, quoted, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { fullAgent } from '../../agent/agent-offer.ts';
import { type ClientScripts, type ClientStage, inTurn } from '../../client-stage.ts';
import type { PlayedTurn } from '../../played-turn.ts';

const read = 'fs/read_text_file';
const write = 'fs/write_text_file';
const reading = { needs: ['fs.readTextFile'] };
const writing = { needs: ['fs.writeTextFile'] };

const lines = ['one', 'two ä', '', 'four 🌍', 'five'];

/** A line, a limit, and what is between them. */
const windows: readonly (readonly [line: number | null, limit: number | null, found: readonly string[]])[] = [
  [null, null, lines],
  [1, null, lines],
  [2, null, lines.slice(1)],
  [5, null, ['five']],
  [null, 2, ['one', 'two ä']],
  [1, 1, ['one']],
  [2, 3, ['two ä', '', 'four 🌍']],
  [4, 100, ['four 🌍', 'five']],
];

export const filesScenarios: ClientScripts = {
  'files/lines': inTurn(reading, async (turn, stage) => {
    const path = join(stage.folder, 'lines.txt');
    await writeFile(path, `${lines.join('\n')}\n`);
    await aReading(turn, path);
    for (const [line, limit, found] of windows) {
      const reply = await turn.ask(read, { path, line, limit });
      const content = contentOf(reply);
      // Whether the end of the last line belongs to it is not said.
      const isRight = content?.replace(/\n$/, '') === found.join('\n');
      const came = `came ${quoted(content ?? 'an error')}, not ${quoted(found)}`;
      stage.see.check('R025', !isRight && `with line ${String(line)} and limit ${String(limit)} ${came}`, reply);
    }
  }),
  'files/missing': inTurn(reading, async (turn, stage) => {
    const reply = await turn.ask(read, { path: join(stage.folder, 'nothing-here.txt') });
    const code = reply.error?.code;
    stage.see.check('R214', code !== -32_002 && `it was answered with ${quoted(code ?? 'a result')}`, reply);
  }),
  'files/relative': inTurn(reading, async (turn, stage) => {
    await writeFile(join(stage.folder, 'here.txt'), 'here');
    for (const path of ['here.txt', './here.txt', '']) {
      const reply = await turn.ask(read, { path });
      const isRead = reply.error === undefined;
      stage.see.check('R370', isRead && `what is at the path ${quoted(path)} was read`, reply);
    }
  }),
  'files/outside': inTurn(reading, async (turn, stage) => {
    // Next to the folder, and with a name that begins as its name does.
    const folders = [stage.beside('secrets'), `${stage.folder}-of-others`];
    const secrets = await Promise.all(folders.map((folder) => secretIn(folder)));
    const path = await something(stage);
    await aReading(turn, path);
    const forbidden = forbidding(stage, turn, ['R104', 'R082']);
    for (const each of [...secrets, `${stage.folder}/../secrets/secret.txt`]) await forbidden.refused(each);
    for (const folder of [...folders, `${stage.folder}/../secrets`]) await forbidden.notMade(`${folder}/new.txt`);
  }),
  'files/links': inTurn(reading, async (turn, stage) => {
    const folder = stage.beside('secrets');
    const secret = await secretIn(folder);
    const [toFile, toFolder] = [join(stage.folder, 'file-link'), join(stage.folder, 'folder-link')];
    const [nowhere, toNowhere] = [join(folder, 'not-yet.txt'), join(stage.folder, 'loose-link')];
    await linked(secret, toFile);
    await linked(folder, toFolder);
    await linked(nowhere, toNowhere);
    const path = await something(stage);
    await aReading(turn, path);
    const forbidden = forbidding(stage, turn, ['R101', 'R370']);
    await forbidden.refused(toFile, secret);
    await forbidden.refused(join(toFolder, 'secret.txt'), secret);
    await forbidden.notMade(toNowhere, nowhere);
    await forbidden.notMade(join(toFolder, 'deep', 'new.txt'), join(folder, 'deep', 'new.txt'));
  }),
  'files/more-folders': async (stage) => {
    const directory = stage.beside('library');
    const path = await secretIn(directory);
    stage.play((agent) => agent.offer(fullAgent));
    const script = async (turn: PlayedTurn): Promise<void> => {
      const given = turn.agent.calls('session/new')[0]?.params['additionalDirectories'];
      if (quoted(given) !== quoted([directory])) throw new Stopped('the client did not add the folder');
      const reply = await turn.ask(read, { path });
      const fault = 'a file in another folder of the session cannot be read';
      stage.see.check('R082', contentOf(reply) !== secretText && fault, reply);
    };
    await stage.turn(script, { ...reading, action: 'add directory', values: { directory } });
  },
  'files/write': inTurn(writing, async (turn, stage) => {
    const path = await something(stage);
    const first = await turn.ask(write, { path, content: '' });
    isThere(first, 'R212');
    if (first.error !== undefined) throw new Stopped('the client lets nothing be written');
    await written(stage, turn, [path, 'R212']);
    await written(stage, turn, [join(stage.folder, 'new.txt'), 'R210']);
    await written(stage, turn, [join(stage.folder, 'deep', 'down', 'new.txt'), 'R211']);
  }),
};

const secretText = 'what is nobody’s business\n';
/** Units of text of a file that a message shows. */
const shown = 60;
const newText = 'Grüße, 世界 🌍\r\nsecond line without an end';

/** A file that is there to be found. */
async function something(stage: ClientStage): Promise<string> {
  const path = join(stage.folder, 'something.txt');
  await writeFile(path, 'something that is much longer than what is written later: '.repeat(20));
  return path;
}

async function secretIn(folder: string): Promise<string> {
  await mkdir(folder);
  const path = join(folder, 'secret.txt');
  await writeFile(path, secretText);
  return path;
}

async function linked(target: string, path: string): Promise<void> {
  await symlink(target, path).catch((error: unknown) => {
    throw new Stopped(`no symbolic link can be made here: ${String(error)}`);
  });
}

/** Stops the scenario if not even this file can be read, or comes as something else: then answers say nothing of files. */
async function aReading(turn: PlayedTurn, path: string): Promise<void> {
  const reply = await turn.ask(read, { path });
  isThere(reply, 'R025');
  const content = contentOf(reply);
  if (content === undefined) throw new Stopped('the client lets nothing be read');
  if (content.trimEnd() !== (await readFile(path, 'utf8')).trimEnd())
    throw new Stopped('the client does not read the file: it gives something else');
}

/** Stops the scenario if a method is not there that is offered. */
function isThere({ error, entry }: Reply, requirement: RequirementId): void {
  if (error?.code === -32_601)
    throw new Stopped('the client offers the method, and does not know it', { requirement, evidence: [entry] });
}

/** What is outside the folders of a session: at a path, which may lead there by links. */
interface Forbidding {
  refused(path: string, leadsTo?: string): Promise<void>;
  /** What is not there yet is not made either: who asks where a path leads finds no file. */
  notMade(path: string, leadsTo?: string): Promise<void>;
}

function forbidding({ see }: ClientStage, turn: PlayedTurn, because: readonly RequirementId[]): Forbidding {
  const canWrite = turn.agent.clientOffers('fs.writeTextFile');
  const outside = (path: string): string => `${path}, which is outside the folders of the session,`;
  return {
    refused: async (path, leadsTo = path) => {
      const reply = await turn.ask(read, { path });
      const other = canWrite ? await turn.ask(write, { path, content: 'overwritten' }) : reply;
      const wasWritten = other.error === undefined || (await readFile(leadsTo, 'utf8')) !== secretText;
      const fault = wasWritten && `${outside(path)} was written`;
      see.check(because, reply.error === undefined ? `${outside(path)} was read` : fault, reply, other);
    },
    notMade: async (path, leadsTo = path) => {
      if (!canWrite) return;
      const reply = await turn.ask(write, { path, content: 'made' });
      see.check(because, (reply.error === undefined || existsSync(leadsTo)) && `${outside(path)} was made`, reply);
    },
  };
}

async function written(
  { see }: ClientStage,
  turn: PlayedTurn,
  [path, requirement]: readonly [string, RequirementId],
): Promise<void> {
  const reply = await turn.ask(write, { path, content: newText });
  const found = await readFile(path, 'utf8').catch(() => undefined);
  const answer = reply.error === undefined ? 'success' : 'an error';
  const there = found === undefined ? 'no file' : quoted(found.slice(0, shown));
  const isWritten = reply.error === undefined && found === newText;
  see.check(requirement, !isWritten && `the write was answered with ${answer}, and there is ${there}`, reply);
}

function contentOf({ result }: Reply): string | undefined {
  const content = at(result, 'content');
  return typeof content === 'string' ? content : undefined;
}
