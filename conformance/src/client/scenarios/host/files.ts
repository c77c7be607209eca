import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { asMessage, type Reply } from '../../../wire/messages.ts';
import { fullAgent } from '../../agent/agent-offer.ts';
import type { ClientScenario } from '../../client-scenario.ts';
import type { ClientStage } from '../../client-stage.ts';
import { clientOffers, hostTurn, type HostTurn } from './host-turn.ts';

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

/** Files that an agent reads and writes through its client. */
export const filesScenarios: readonly ClientScenario[] = [
  {
    id: 'files/lines',
    title: 'a file is read whole, or from a line that is counted from 1, and as many lines as are wanted',
    covers: ['R025'],
    run: async (stage) => {
      const path = join(stage.folder, 'lines.txt');
      await writeFile(path, `${lines.join('\n')}\n`);
      await hostTurn(stage, reading, async (turn) => {
        await aReading(turn, path);
        for (const [line, limit, found] of windows) {
          const reply = await turn.ask(read, { path, line, limit });
          // Whether the end of the last line belongs to it is not said.
          const fault =
            contentOf(reply)?.replace(/\n$/, '') !== found.join('\n') &&
            `with line ${String(line)} and limit ${String(limit)} came ${JSON.stringify(contentOf(reply) ?? 'an error')}, not ${JSON.stringify(found)}`;
          stage.see.check('R025', fault, reply);
        }
      });
    },
  },
  {
    id: 'files/missing',
    title: 'a file that is not there is answered with -32002',
    covers: ['R214'],
    run: async (stage) => {
      await hostTurn(stage, reading, async ({ ask }) => {
        const reply = await ask(read, { path: join(stage.folder, 'nothing-here.txt') });
        const fault =
          reply.error?.code !== -32_002 && `it was answered with ${JSON.stringify(reply.error?.code ?? 'a result')}`;
        stage.see.check('R214', fault, reply);
      });
    },
  },
  {
    id: 'files/relative',
    title: 'a path that is not absolute is refused',
    covers: ['R370'],
    run: async (stage) => {
      await writeFile(join(stage.folder, 'here.txt'), 'here');
      await hostTurn(stage, reading, async ({ ask }) => {
        for (const path of ['here.txt', './here.txt', '']) {
          const reply = await ask(read, { path });
          const fault = reply.error === undefined && `what is at the path ${JSON.stringify(path)} was read`;
          stage.see.check('R370', fault, reply);
        }
      });
    },
  },
  {
    id: 'files/outside',
    title: 'nothing outside the folders of a session is read or written',
    covers: ['R082', 'R104'],
    run: async (stage) => {
      // Next to the folder, and with a name that begins as its name does.
      const folders = [stage.beside('secrets'), `${stage.folder}-of-others`];
      const secrets = await Promise.all(folders.map((folder) => secretIn(folder)));
      await hostTurn(stage, reading, async (turn) => {
        await aReading(turn, await something(stage));
        const roundabout = `${stage.folder}/../secrets/secret.txt`;
        for (const path of [...secrets, roundabout]) await refused(stage, turn, { path, because: ['R104', 'R082'] });
        for (const folder of [...folders, `${stage.folder}/../secrets`])
          await notMade(stage, turn, { path: `${folder}/new.txt`, because: ['R104', 'R082'] });
      });
    },
  },
  {
    id: 'files/links',
    title: 'nothing outside the folders of a session is read or written through symbolic links',
    covers: ['R101', 'R370'],
    run: async (stage) => {
      const folder = stage.beside('secrets');
      const secret = await secretIn(folder);
      const [toFile, toFolder] = [join(stage.folder, 'file-link'), join(stage.folder, 'folder-link')];
      await linked(secret, toFile);
      await linked(folder, toFolder);
      const [nowhere, toNowhere] = [join(folder, 'not-yet.txt'), join(stage.folder, 'loose-link')];
      await linked(nowhere, toNowhere);
      await hostTurn(stage, reading, async (turn) => {
        await aReading(turn, await something(stage));
        await refused(stage, turn, { path: toFile, leadsTo: secret, because: ['R101', 'R370'] });
        await refused(stage, turn, { path: join(toFolder, 'secret.txt'), leadsTo: secret, because: ['R101', 'R370'] });
        await notMade(stage, turn, { path: toNowhere, leadsTo: nowhere, because: ['R101', 'R370'] });
        const made = join(folder, 'deep', 'new.txt');
        await notMade(stage, turn, {
          path: join(toFolder, 'deep', 'new.txt'),
          leadsTo: made,
          because: ['R101', 'R370'],
        });
      });
    },
  },
  {
    id: 'files/more-folders',
    title: 'the folders that a session has besides its first one are open to its agent',
    covers: ['R082'],
    run: async (stage) => {
      const directory = stage.beside('library');
      const path = await secretIn(directory);
      stage.play((agent) => agent.offer(fullAgent));
      await hostTurn(stage, { ...reading, action: 'add directory', values: { directory } }, async ({ agent, ask }) => {
        const given = agent.calls('session/new')[0]?.params['additionalDirectories'];
        if (JSON.stringify(given) !== JSON.stringify([directory]))
          throw new Stopped('the client did not add the folder');
        const reply = await ask(read, { path });
        const fault = contentOf(reply) !== secretText && 'a file in another folder of the session cannot be read';
        stage.see.check('R082', fault, reply);
      });
    },
  },
  {
    id: 'files/write',
    title: 'a file that is written is replaced, or made with the folders it needs',
    covers: ['R210', 'R211', 'R212'],
    run: async (stage) => {
      const path = await something(stage);
      await hostTurn(stage, writing, async (turn) => {
        const first = await turn.ask(write, { path, content: '' });
        isThere(first, 'R212');
        if (first.error !== undefined) throw new Stopped('the client lets nothing be written');
        await written(stage, turn, { path, requirement: 'R212' });
        await written(stage, turn, { path: join(stage.folder, 'new.txt'), requirement: 'R210' });
        await written(stage, turn, { path: join(stage.folder, 'deep', 'down', 'new.txt'), requirement: 'R211' });
      });
    },
  },
];

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
async function aReading({ ask }: HostTurn, path: string): Promise<void> {
  const reply = await ask(read, { path });
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

interface Forbidden {
  readonly path: string;
  /** Where it is, if the path leads there by links. */
  readonly leadsTo?: string;
  readonly because: readonly RequirementId[];
}

async function refused(stage: ClientStage, turn: HostTurn, forbidden: Forbidden): Promise<void> {
  const { path, leadsTo = path, because } = forbidden;
  const reply = await turn.ask(read, { path });
  const isWritable = clientOffers(turn.agent, 'fs.writeTextFile');
  const other = isWritable ? await turn.ask(write, { path, content: 'overwritten' }) : reply;
  const isUnharmed = (await readFile(leadsTo, 'utf8')) === secretText;
  const fault = faultOfRefusal({
    wasRead: reply.error === undefined,
    wasWritten: !isUnharmed || other.error === undefined,
  });
  for (const requirement of because)
    stage.see.check(
      requirement,
      fault !== undefined && `${path}, which is outside the folders of the session, ${fault ?? ''}`,
      reply,
      other,
    );
}

/** What is not there yet is not made either: who asks where a path leads finds no file. */
async function notMade(
  stage: ClientStage,
  turn: HostTurn,
  { path, leadsTo = path, because }: Forbidden,
): Promise<void> {
  if (!clientOffers(turn.agent, 'fs.writeTextFile')) return;
  const reply = await turn.ask(write, { path, content: 'made' });
  const isMade = await readFile(leadsTo).then(
    () => true,
    () => false,
  );
  for (const requirement of because)
    stage.see.check(
      requirement,
      (isMade || reply.error === undefined) && `${path}, which is outside the folders of the session, was made`,
      reply,
    );
}

function faultOfRefusal({ wasRead, wasWritten }: { wasRead: boolean; wasWritten: boolean }): string | undefined {
  if (wasRead) return 'was read';
  return wasWritten ? 'was written' : undefined;
}

interface Written {
  readonly path: string;
  readonly requirement: RequirementId;
}

async function written(stage: ClientStage, { ask }: HostTurn, { path, requirement }: Written): Promise<void> {
  const reply = await ask(write, { path, content: newText });
  const found = await readFile(path, 'utf8').catch(() => undefined);
  const fault =
    (reply.error !== undefined || found !== newText) &&
    `the write was answered with ${reply.error === undefined ? 'success' : 'an error'}, and there is ${found === undefined ? 'no file' : JSON.stringify(found.slice(0, shown))}`;
  stage.see.check(requirement, fault, reply);
}

function contentOf({ result }: Reply): string | undefined {
  const content = asMessage(result)?.['content'];
  return typeof content === 'string' ? content : undefined;
}
