import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sandboxed } from '../src/commands/serve/sandboxed.ts';
import { unlessSandbox, withoutSandbox } from './sandbox.ts';

test.skipIf(withoutSandbox)(
  `in a sandbox only the built-in agent reads the keys and settings of Turnwire${unlessSandbox}`,
  async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-sandboxed-')));
    onTestFinished(() => rm(folder, { recursive: true }));
    onTestFinished(() => void vi.unstubAllEnvs());
    const own = ['DATA', 'CONFIG', 'STATE'].map((kind) => join(folder, kind, 'turnwire', 'secret'));
    for (const path of own) {
      await mkdir(join(path, '..'), { recursive: true });
      await writeFile(path, 'secret');
    }
    for (const kind of ['DATA', 'CONFIG', 'STATE']) vi.stubEnv(`XDG_${kind}_HOME`, join(folder, kind));
    const read = async (isBuiltIn?: boolean): Promise<readonly string[]> => {
      // Whoever configures an agent may give it the name of the built-in one.
      const command = { choice: { name: 'coder' }, words: ['cat', ...own], env: {}, inheritEnv: [], isBuiltIn };
      const { words } = await sandboxed(command, [folder]);
      const { stdout } = spawnSync(words[0] ?? '', words.slice(1), { encoding: 'utf8', cwd: homedir() });
      return stdout.match(/secret/g) ?? [];
    };
    expect([await read(true), await read()]).toEqual([['secret', 'secret'], []]);
  },
);
