import { execFileSync } from 'node:child_process';
import { rename, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Action } from './task.ts';
import { tasks } from './tasks.ts';
import { WorkFolder } from './work-folder.ts';

/** Performs an action like a perfect tool. Returns the text that it reads. */
async function fulfil(folder: WorkFolder, action: Action): Promise<string> {
  switch (action.do) {
    case 'edit': {
      let text = (await folder.read(action.path)) ?? '';
      for (const edit of action.edits) {
        if (text.split(edit.old).length !== 2) throw new Error(`${edit.old} does not occur once in ${action.path}`);
        text = text.replace(edit.old, () => edit.new);
      }
      await folder.write(action.path, text);
      return '';
    }
    case 'write':
      await folder.write(action.path, action.text);
      return '';
    case 'move':
      await mkdir(dirname(join(folder.path, action.to)), { recursive: true });
      await rename(join(folder.path, action.path), join(folder.path, action.to));
      return '';
    case 'delete':
      await rm(join(folder.path, action.path));
      return '';
    case 'read':
      return (await folder.read(action.path)) ?? '';
    case 'search':
      return printed(folder, `grep -rnF -- '${action.text}' .`);
    case 'list':
      return printed(folder, `find . -path './${action.glob.replace('**/', '*')}'`);
    case 'run':
      return printed(folder, action.command);
  }
}

function printed(folder: WorkFolder, command: string): string {
  try {
    return execFileSync('sh', ['-c', command], {
      cwd: folder.path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

test('there are forty tasks, eight of each kind, with a name each', () => {
  const kinds = new Map<string, number>();
  for (const { kind } of tasks) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  expect([new Set(tasks.map(({ name }) => name)).size, [...kinds.values()]]).toEqual([40, [8, 8, 8, 8, 8]]);
});

test.each(tasks)('the result of "$name" is correct after its script, and wrong before', async (task) => {
  await using folder = await WorkFolder.make(task);
  const before = await folder.mistakes('');
  let said = '';
  for (const actions of task.steps) for (const action of actions) said += await fulfil(folder, action);
  const found = task.answer?.exec(said);
  expect([before.length > 0, await folder.mistakes(found?.[1] ?? '')]).toEqual([true, []]);
});
