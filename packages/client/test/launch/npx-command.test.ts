import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AgentProcess } from '../../src/node/launch/agent-process.ts';
import { withoutProjectPackages } from '../../src/node/launch/npx-command.ts';

const hasNpx = spawnSync('npx', ['--version']).status === 0 && process.platform !== 'win32';
const manifest = { name: 'good-agent', version: '1.2.3', bin: { 'good-agent': 'main.js' } };

let folder: string;
let registry: Server;
let visits: string[];

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'npx-command-')));
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  visits = [];
  registry = createServer((request, response) => {
    visits.push(request.url ?? '');
    if (request.url?.endsWith('.tgz')) response.end(readFileSync(join(folder, 'good-agent.tgz')));
    else response.end(request.method === 'POST' || !request.url?.endsWith('good-agent') ? '{}' : packument());
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await new Promise((resolve) => registry.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

function address(): string {
  return `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
}

function packument(): string {
  const integrity = `sha512-${createHash('sha512')
    .update(readFileSync(join(folder, 'good-agent.tgz')))
    .digest('base64')}`;
  const dist = { tarball: `${address()}good-agent.tgz`, integrity };
  return JSON.stringify({
    ...manifest,
    'dist-tags': { latest: '1.2.3' },
    versions: { '1.2.3': { ...manifest, dist } },
  });
}

function write(path: string, content: string, mode?: number): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), content, { mode });
}

test.skipIf(!hasNpx)(
  'a project changes neither the package that npx runs nor the programs that run with it',
  async () => {
    const program = `#!/usr/bin/env node
const { argv, env } = process;
console.log(JSON.stringify([process.cwd(), argv.slice(2), env.PWD, env.INIT_CWD, env.npm_config_script_shell, env.TURNWIRE_START_FOLDER]));`;
    write('package/package.json', JSON.stringify(manifest));
    write('package/main.js', program, 0o755);
    execFileSync('tar', ['czf', 'good-agent.tgz', 'package'], { cwd: folder });
    write('home/.npmrc', `registry=${address()}\n`);
    const evil = `#!/bin/sh\necho ran >> '${join(folder, 'ran')}'\nexit 1\n`;
    write('project/package.json', JSON.stringify({ name: 'x', dependencies: { 'good-agent': '1.2.3' } }));
    write('project/.npmrc', `registry=${address()}evil/\nscript-shell=${join(folder, 'project/evil')}\n`);
    write('project/node_modules/good-agent/package.json', JSON.stringify(manifest));
    write('project/node_modules/good-agent/main.js', evil, 0o755);
    for (const name of ['evil', ...['good-agent', 'node', 'sh', 'env'].map((each) => `node_modules/.bin/${each}`)])
      write(`project/${name}`, evil, 0o755);

    const project = join(folder, 'project');
    const agent = await AgentProcess.start(['npx', '--yes', 'good-agent@1.2.3', '--acp', 'a b'], {
      cwd: project,
      env: { PATH: process.env['PATH'] ?? '', HOME: join(folder, 'home'), npm_config_cache: join(folder, 'npm') },
    });
    const printed = await text(agent.stdout);
    await agent.end(0);
    expect([printed, agent.stderr]).toEqual([
      `${JSON.stringify([project, ['--acp', 'a b'], project, project, null, null])}\n`,
      '',
    ]);
    expect([existsSync(join(folder, 'ran')), visits.filter((url) => url.includes('evil'))]).toEqual([false, []]);
  },
);

test.skipIf(process.platform === 'win32')('only npx starts through our folder', async () => {
  const own = join(folder, 'cache/turnwire/npx');
  const [shielded, exec, ...others] = await Promise.all(
    (
      [
        ['/usr/bin/npx', 'a@1'],
        ['npm', 'exec', 'a@1'],
        ['npm', 'run', 'x'],
        ['./npx', 'a'],
        ['my-npx', 'a'],
      ] as const
    ).map(withoutProjectPackages),
  );
  expect([shielded, exec]).toEqual([
    ['/bin/sh', join(own, 'start'), own, '/usr/bin/npx', 'a@1'],
    ['/bin/sh', join(own, 'start'), own, 'npm', 'exec', 'a@1'],
  ]);
  expect(others).toEqual([
    ['npm', 'run', 'x'],
    ['./npx', 'a'],
    ['my-npx', 'a'],
  ]);
});

test.skipIf(process.platform === 'win32')('npx does not start if our folder cannot be created', async () => {
  write('cache', '');
  await expect(withoutProjectPackages(['npx', 'a'])).rejects.toThrow(
    `The agent could not be started: npx needs the folder ${join(folder, 'cache/turnwire/npx')}, which cannot be written: `,
  );
});
