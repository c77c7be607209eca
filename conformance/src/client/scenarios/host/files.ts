import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { at, quoted, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type ClientScripts, type ClientContext, inTurn } from '../../client-context.ts';
import type { SimulatedTurn } from '../../simulated-turn.ts';

const read = 'fs/read_text_file';
const write = 'fs/write_text_file';
const reading = { needs: ['fs.readTextFile'] };
const writing = { needs: ['fs.writeTextFile'] };

const lines = ['one', 'two ä', '', 'four 🌍', 'five'];

/** Values of `line` and `limit`, and the lines they select. */
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
  'files/lines': inTurn(reading, async (turn, context) => {
    const path = join(context.folder, 'lines.txt');
    await writeFile(path, `${lines.join('\n')}\n`);
    await expectReadable(turn, path);
    for (const [line, limit, found] of windows) {
      const reply = await turn.ask(read, { path, line, limit });
      const content = contentOf(reply);
      // The protocol does not say whether the last line includes its line break.
      const isRight = content?.replace(/\n$/, '') === found.join('\n');
      const returned = `the client returned ${quoted(content ?? 'an error')} instead of ${quoted(found)}`;
      context.see.check('R025', !isRight && `for line ${String(line)} and limit ${String(limit)} ${returned}`, reply);
    }
  }),
  'files/missing': inTurn(reading, async (turn, context) => {
    const reply = await turn.ask(read, { path: join(context.folder, 'nothing-here.txt') });
    const code = reply.error?.code;
    context.see.check(
      'R214',
      code !== -32_002 && `reading a missing file was answered with ${quoted(code ?? 'a result')} instead of -32002`,
      reply,
    );
  }),
  'files/relative': inTurn(reading, async (turn, context) => {
    await writeFile(join(context.folder, 'here.txt'), 'here');
    for (const path of ['here.txt', './here.txt', '']) {
      const reply = await turn.ask(read, { path });
      const isRead = reply.error === undefined;
      context.see.check('R370', isRead && `the relative path ${quoted(path)} was read`, reply);
    }
  }),
  'files/characters': inTurn(reading, async (turn, context) => {
    const path = join(context.folder, 'euros.txt');
    // Three bytes each, so that pieces of any usual size cut one.
    const content = `.${'€'.repeat(100_000)}`;
    await writeFile(path, content);
    const reply = await turn.ask(read, { path });
    if (reply.error !== undefined) throw new Stopped('a file of 300 kB was not read');
    const fault = at(reply.result, 'content') !== content && 'the content of a file was returned with other characters';
    context.see.check('R417', fault, reply);
  }),
  'files/outside': inTurn(reading, async (turn, context) => {
    // A sibling of the folder, and one whose name begins with the folder's name.
    const folders = [context.sibling('secrets'), `${context.folder}-of-others`];
    const secrets = await Promise.all(folders.map((folder) => secretIn(folder)));
    const path = await someFile(context);
    await expectReadable(turn, path);
    const forbidden = forbidding(context, turn, ['R104', 'R082']);
    for (const each of [...secrets, `${context.folder}/../secrets/secret.txt`]) await forbidden.refused(each);
    for (const folder of [...folders, `${context.folder}/../secrets`]) await forbidden.notCreated(`${folder}/new.txt`);
  }),
  'files/links': inTurn(reading, async (turn, context) => {
    const folder = context.sibling('secrets');
    const secret = await secretIn(folder);
    const [toFile, toFolder] = [join(context.folder, 'file-link'), join(context.folder, 'folder-link')];
    const [nowhere, toNowhere] = [join(folder, 'not-yet.txt'), join(context.folder, 'loose-link')];
    await linked(secret, toFile);
    await linked(folder, toFolder);
    await linked(nowhere, toNowhere);
    const path = await someFile(context);
    await expectReadable(turn, path);
    const forbidden = forbidding(context, turn, ['R101', 'R370']);
    await forbidden.refused(toFile, secret);
    await forbidden.refused(join(toFolder, 'secret.txt'), secret);
    await forbidden.notCreated(toNowhere, nowhere);
    await forbidden.notCreated(join(toFolder, 'deep', 'new.txt'), join(folder, 'deep', 'new.txt'));
  }),
  'files/more-folders': async (context) => {
    const directory = context.sibling('library');
    const path = await secretIn(directory);
    context.play((agent) => agent.offerEverything());
    const script = async (turn: SimulatedTurn): Promise<void> => {
      const added = turn.agent.calls('session/new')[0]?.params['additionalDirectories'];
      if (quoted(added) !== quoted([directory])) throw new Stopped('the client did not add the folder');
      const reply = await turn.ask(read, { path });
      const fault = 'a file in an additional folder of the session cannot be read';
      context.see.check('R082', contentOf(reply) !== secretText && fault, reply);
    };
    await context.turn(script, { ...reading, action: 'add directory', values: { directory } });
  },
  'files/write': inTurn(writing, async (turn, context) => {
    const path = await someFile(context);
    const first = await turn.ask(write, { path, content: '' });
    expectImplemented(first, 'R212');
    if (first.error !== undefined) throw new Stopped('the client refuses every write');
    await seeWritten(context, turn, [path, 'R212']);
    await seeWritten(context, turn, [join(context.folder, 'new.txt'), 'R210']);
    await seeWritten(context, turn, [join(context.folder, 'deep', 'down', 'new.txt'), 'R211']);
  }),
};

const secretText = 'a secret that no agent may read\n';
/** Length of the file excerpts in messages, in UTF-16 units. */
const shown = 60;
const newText = 'Grüße, 世界 🌍\r\nsecond line without an end';

/** Creates an ordinary file in the folder of the session. */
async function someFile(context: ClientContext): Promise<string> {
  const path = join(context.folder, 'something.txt');
  await writeFile(path, 'a text that is much longer than the later one: '.repeat(20));
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
    throw new Stopped(`symbolic links cannot be created here: ${String(error)}`);
  });
}

/** Stops the scenario unless an ordinary file can be read correctly: otherwise refusals would prove nothing. */
async function expectReadable(turn: SimulatedTurn, path: string): Promise<void> {
  const reply = await turn.ask(read, { path });
  expectImplemented(reply, 'R025');
  const content = contentOf(reply);
  if (content === undefined) throw new Stopped('the client refuses every read');
  if (content.trimEnd() !== (await readFile(path, 'utf8')).trimEnd())
    throw new Stopped('the client does not return the content of the file');
}

/** Stops the scenario if an advertised method is not implemented. */
function expectImplemented({ error, entry }: Reply, requirement: RequirementId): void {
  if (error?.code === -32_601)
    throw new Stopped('the client advertises the method but does not implement it', { requirement, evidence: [entry] });
}

/** Checks of paths outside the folders of a session; `leadsTo` is the target if the path contains links. */
interface Forbidding {
  refused(path: string, leadsTo?: string): Promise<void>;
  /** A file that does not exist is not created. Resolving its real path fails, which must not permit the write. */
  notCreated(path: string, leadsTo?: string): Promise<void>;
}

function forbidding({ see }: ClientContext, turn: SimulatedTurn, because: readonly RequirementId[]): Forbidding {
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
    notCreated: async (path, leadsTo = path) => {
      if (!canWrite) return;
      const reply = await turn.ask(write, { path, content: 'made' });
      see.check(because, (reply.error === undefined || existsSync(leadsTo)) && `${outside(path)} was created`, reply);
    },
  };
}

async function seeWritten(
  { see }: ClientContext,
  turn: SimulatedTurn,
  [path, requirement]: readonly [string, RequirementId],
): Promise<void> {
  const reply = await turn.ask(write, { path, content: newText });
  const found = await readFile(path, 'utf8').catch(() => undefined);
  const answer = reply.error === undefined ? 'success' : 'an error';
  const there = found === undefined ? 'nothing: it does not exist' : quoted(found.slice(0, shown));
  const isWritten = reply.error === undefined && found === newText;
  see.check(requirement, !isWritten && `the write was answered with ${answer}, and the file contains ${there}`, reply);
}

function contentOf({ result }: Reply): string | undefined {
  const content = at(result, 'content');
  return typeof content === 'string' ? content : undefined;
}
