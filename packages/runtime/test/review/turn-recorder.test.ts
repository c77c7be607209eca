import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FolderRecord } from '@turnwire/machine/folder-record';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { TurnRecorder } from '../../src/review/index.ts';

let base = '';
let record: FolderRecord;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'turnwire-recorder-'));
  await mkdir(join(base, 'project'));
  record = new FolderRecord(join(base, 'project'), join(base, 'records'));
});
afterEach(() => rm(base, { recursive: true, force: true, maxRetries: 3 }));

test('a folder that contains the home folder is not recorded', async () => {
  const home = new FolderRecord(dirname(homedir()), join(base, 'records'));
  const recorder = new TurnRecorder(home, { sessionId: 's', agent: 'a' });
  expect([await recorder.begin({ id: 't' }, []), home.exists]).toEqual([undefined, false]);
  await expect(home.changes()).rejects.toThrow('work in the folder of a project');
});

test('without git nothing is recorded or reported, and a review says so', async () => {
  const path = process.env['PATH'];
  onTestFinished(() => void (process.env['PATH'] = path));
  process.env['PATH'] = '';
  const recorder = new TurnRecorder(record, { sessionId: 's', agent: 'a' });
  const first = await recorder.begin({ id: 't' }, []);
  recorder.end();
  expect([first, await recorder.recorded, record.exists]).toEqual([undefined, undefined, false]);
  await expect(record.changes()).rejects.toThrow('git is not installed, so the changes of agents are not recorded');
});

test('after a failure that has passed, the next turn is recorded, and a new failure is reported', async () => {
  const recorder = new TurnRecorder(record, { sessionId: 's', agent: 'a' });
  const turn = async (id: string): Promise<string | undefined> => {
    const warning = await recorder.begin({ id }, []);
    await writeFile(join(base, 'project', 'a.txt'), id);
    recorder.end();
    await recorder.recorded;
    return warning;
  };
  const warnings = [await turn('first')];
  const [name = ''] = await readdir(join(base, 'records'));
  const turns = join(base, 'records', name, 'turns.json');
  const kept = await readFile(turns, 'utf8');
  await writeFile(turns, 'not JSON');
  warnings.push(await turn('second'), await turn('third'));
  await writeFile(turns, kept);
  warnings.push(await turn('fourth'));
  const recorded = (await record.turns()).map(({ id }) => id);
  await writeFile(turns, 'not JSON');
  warnings.push(await turn('fifth'));
  const failure: unknown = expect.stringContaining('Changes cannot be reviewed for now: ');
  expect([warnings, recorded]).toEqual([
    [undefined, failure, undefined, undefined, failure],
    ['s:first', 's:fourth'],
  ]);
});

test('for one turn, the state before it is read at once, and a turn without a change is not recorded', async () => {
  const file = join(base, 'project', 'a.txt');
  const call = (kind: 'read' | 'edit') => ({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'x', kind }) as const;
  const run = async (kind: 'read' | 'edit'): Promise<unknown> => {
    await writeFile(file, 'one\n');
    const recorder = new TurnRecorder(record, { sessionId: 's', agent: 'a' }, { isForOneTurn: true });
    await recorder.begin({ id: kind }, [{ type: 'text', text: 'work' }]);
    recorder.updated(call(kind));
    await writeFile(file, 'two\n');
    recorder.end();
    await recorder.recorded;
    const turns = await record.turns();
    return Promise.all(turns.map(async (turn) => [turn.id, (await record.changesOf(turn)).map(({ path }) => path)]));
  };
  expect([await run('read'), await run('edit')]).toEqual([[], [['s:edit', ['a.txt']]]]);
});
