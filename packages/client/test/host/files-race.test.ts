import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { worksByDescriptor } from '../../../machine/src/holding/held-by-descriptor.ts';
import { FileWorld } from './file-world.ts';

const swapper = fileURLToPath(new URL('../fixtures/swap-folder.mjs', import.meta.url));

test.runIf(await worksByDescriptor())(
  'a folder replaced at any moment by a link to the outside leaks nothing and accepts nothing',
  { timeout: within(120_000) },
  async () => {
    await using world = await FileWorld.make();
    await mkdir(world.at('in/folder'));
    await writeFile(world.at('in/folder/file'), 'inside');
    await writeFile(world.at('out/file'), 'secret');
    const child = spawn(process.execPath, [swapper, world.at('in/folder'), world.at('out')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    const seen = new Set<unknown>();
    const counts = { written: 0, refused: 0 };
    for (let round = 0; round < 150; round++) {
      const outcomes = [
        await world.write('in/folder/file', 'inside'),
        await world.write(`in/folder/new-${round % 10}/file`, 'inside'),
      ];
      for (const outcome of outcomes) counts['code' in outcome ? 'refused' : 'written'] += 1;
      const read = await world.read('in/folder/file');
      if ('content' in read) seen.add(read.content);
    }
    child.stdin.end();
    const [swaps] = (await once(child.stdout, 'data')) as [Buffer];
    await ended;
    expect([await readdir(world.at('out')), await readFile(world.at('out/file'), 'utf8'), [...seen]]).toEqual([
      ['file'],
      'secret',
      ['inside'],
    ]);
    // Proves that both sides were active during the whole test.
    expect([Number(swaps) > 100, counts.written > 0, counts.refused > 0]).toEqual([true, true, true]);
    expect(Object.keys(await world.everything()).filter((path) => path.endsWith('.tmp'))).toEqual([]);
  },
);
