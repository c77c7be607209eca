import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sandboxed } from '../src/commands/serve/sandboxed.ts';
import { unlessSandbox, withoutSandbox } from './sandbox.ts';

const none = { writable: [], readable: [], secret: [], secretFolders: [] };

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
      const { words } = await sandboxed(command, { ...none, writable: [folder] });
      const { stdout } = spawnSync(words[0] ?? '', words.slice(1), { encoding: 'utf8', cwd: homedir() });
      return stdout.match(/secret/g) ?? [];
    };
    expect([await read(true), await read()]).toEqual([['secret', 'secret'], []]);
  },
);

test.skipIf(withoutSandbox)(
  `an agent in a sandbox has no capabilities and cannot read home folders or secret files${unlessSandbox}`,
  async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-sandboxed-')));
    onTestFinished(() => rm(folder, { recursive: true }));
    onTestFinished(() => void vi.unstubAllEnvs());
    const [home, work] = [join(folder, 'home'), join(folder, 'home', 'work')];
    const secret = join(folder, 'cluster-secret');
    await writeFile(secret, 'readable');
    const files = ['.ssh/key', '.gitconfig', '.tools/bin/tool', '../cluster-secret', 'work/notes.txt'];
    for (const file of files) {
      await mkdir(join(home, file, '..'), { recursive: true });
      await writeFile(join(home, file), 'readable');
    }
    vi.stubEnv('HOME', home);
    vi.stubEnv('PATH', `${join(home, '.tools', 'bin')}:${process.env['PATH']}`);
    const script = `cd '${home}'; for file in ${files.join(' ')}; do grep -q readable "$file" 2>/dev/null && echo "$file"; done
      mount -o remount,rw,bind / 2>/dev/null && echo remounted; umount '${home}' 2>/dev/null && echo unmounted
      grep CapEff /proc/self/status; echo written > work/new`;
    const command = { choice: { name: 'test' }, words: ['sh', '-c', script], env: {}, inheritEnv: [] };
    const { words } = await sandboxed(command, {
      ...none,
      writable: [work],
      readable: [join(home, '.gitconfig')],
      secret: [secret],
    });
    await writeFile(join(work, 'key.pem'), 'readable');
    await expect(sandboxed(command, { ...none, writable: [work], secret: [join(work, 'key.pem')] })).rejects.toThrow(
      'agents could read',
    );
    const { stdout } = spawnSync(words[0] ?? '', words.slice(1), { encoding: 'utf8' });
    expect({ seen: stdout.trim().split(/\s*\n/), written: await readFile(join(work, 'new'), 'utf8') }).toEqual({
      seen: ['.gitconfig', '.tools/bin/tool', 'work/notes.txt', 'CapEff:\t0000000000000000'],
      written: 'written\n',
    });
  },
);

test.skipIf(withoutSandbox)(
  `an agent in a sandbox sees no trace, also of those that are made later; a trace where it writes is refused${unlessSandbox}`,
  async () => {
    // Not in a folder that is hidden anyway.
    const folder = await realpath(await mkdtemp('/var/tmp/turnwire-sandboxed-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [traces, work] = [join(folder, 'traces'), join(folder, 'traces', 'work')];
    await mkdir(work, { recursive: true });
    const script = `until [ -e go ]; do sleep 0.05; done; cat '${traces}'/*.jsonl* 2>/dev/null; ls '${traces}'`;
    const command = { choice: { name: 'test' }, words: ['sh', '-c', script], env: {}, inheritEnv: [] };
    const { words } = await sandboxed(command, { ...none, writable: [work], secretFolders: [traces] });
    const agent = spawn(words[0] ?? '', words.slice(1), { cwd: work, stdio: ['ignore', 'pipe', 'inherit'] });
    for (const file of ['trace.jsonl', 'trace.jsonl.1', 'trace-2.jsonl']) await writeFile(join(traces, file), 'secret');
    await writeFile(join(work, 'go'), '');
    expect(await text(agent.stdout)).toBe('work\n');
    await expect(
      sandboxed(command, { ...none, writable: [work], secretFolders: [join(work, 'logs')] }),
    ).rejects.toThrow(`--sandbox: agents could read the traces in ${join(work, 'logs')}: give --trace a file in`);
  },
);
