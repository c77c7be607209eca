import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleProgram } from '../../../../tools/bundle-program.mjs';
import { type PlaceKind, placeKinds, Places } from '../../src/places/index.ts';

const program = bundleProgram(fileURLToPath(new URL('fixtures/place-process.ts', import.meta.url)));
let base = '';
let project = '';
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-killed-')));
  project = join(base, 'project');
  await mkdir(project);
  git('init', '-q', '-b', 'main');
  for (let at = 0; at < 40; at++) await writeFile(join(project, `${at}.txt`), `${at}\n`);
  git('add', '-A');
  git('-c', 'user.name=Test', '-c', 'user.email=test@localhost', 'commit', '-qm', 'first');
  await writeFile(join(project, '1.txt'), 'changed\n');
});
afterEach(() => rm(base, { recursive: true, force: true, maxRetries: 5 }));

const git = (...words: readonly string[]): string =>
  execFileSync('git', words, { cwd: project, encoding: 'utf8', stdio: 'pipe' });

/**
 * Makes or removes a place in a process of its own, with a git that counts its calls. The process and that call of git are killed at the call with
 * the number, before or after it runs.
 */
async function killedAt(call: number, when: 'before' | 'after', words: readonly string[]): Promise<boolean> {
  const programs = join(base, 'bin');
  await mkdir(programs, { recursive: true });
  await rm(join(base, 'calls'), { force: true });
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const lines = [
    '#!/bin/sh',
    `echo >> ${base}/calls`,
    `at=$(wc -l < ${base}/calls)`,
    `if [ "$at" -eq ${call} ]; then ${when === 'after' ? `${real} "$@"; ` : ''}kill -9 $PPID; kill -9 $$; fi`,
    `exec ${real} "$@"`,
  ];
  await writeFile(join(programs, 'git'), lines.map((line) => `${line}\n`).join(''), { mode: 0o755 });
  const child = spawn(process.execPath, [program, base, ...words], {
    env: { ...process.env, PATH: `${programs}:${process.env['PATH']}` },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  return signal === 'SIGKILL';
}

const places = (): Places => new Places(join(base, 'records'), join(base, 'places'));
const left = async (): Promise<unknown> => ({
  folders: await readdir(join(base, 'places')).catch(() => []),
  records: (await readdir(join(base, 'records')).catch(() => [])).filter((name) => !name.endsWith('.lock')),
  worktrees: git('worktree', 'list').trim().split('\n').length,
  refs: git('for-each-ref', '--format=%(refname)').trim().split('\n'),
  changed: await readFile(join(project, '1.txt'), 'utf8'),
});
const nothing = { folders: [], records: [], worktrees: 1, refs: ['refs/heads/main'], changed: 'changed\n' };

// Each run starts a process, so a part of the calls is the default: all of them with TURNWIRE_FUZZ_RUNS=2 or more.
const step = Number(process.env['TURNWIRE_FUZZ_RUNS'] ?? 1) > 1 ? 1 : 6;

/**
 * Kills work at each call of git in turn, before or after it, until the work ends by itself. Resolves with the states of the places that were
 * found after each, and with everything that was left after `prune`.
 */
async function killedAtEach(
  words: readonly string[],
  before: () => Promise<unknown> = () => Promise.resolve(),
): Promise<{ readonly found: readonly (string | undefined)[]; readonly left: readonly unknown[] }> {
  const found: (string | undefined)[] = [];
  const kept: unknown[] = [];
  for (let call = 1, wasKilled = true; wasKilled; call += step) {
    await before();
    wasKilled = await killedAt(call, Math.ceil(call / step) % 2 === 0 ? 'before' : 'after', words);
    if (wasKilled) found.push(places().at(join(base, 'places', 'fix'))?.state);
    await places().prune();
    kept.push(await left());
  }
  return { found, left: kept };
}

test.each(placeKinds)(
  'a %s whose maker is killed at any call of git is removed',
  { timeout: 120_000 },
  async (kind) => {
    const after = await killedAtEach(['make', kind]);
    expect(after.left).toEqual(after.left.map(() => nothing));
    // Killed before the record was written, it has left nothing.
    expect(after.found.filter((state) => state !== undefined && state !== 'making')).toEqual([]);
    expect(after.found).toContain('making');
  },
);

test.each(placeKinds)(
  'a %s whose removal is killed at any call of git is removed later',
  { timeout: 120_000 },
  async (kind) => {
    const after = await killedAtEach(['remove'], () =>
      places().make({ kind, cwd: project, name: 'fix', withChanges: true }),
    );
    expect(after.left).toEqual(after.left.map(() => nothing));
    // Killed while the work in it was counted, the place is complete.
    expect(after.found.filter((state) => state !== 'ready' && state !== 'removing')).toEqual([]);
  },
);

test('a new place is made after the same name was left by a killed process', async () => {
  const kind: PlaceKind = 'worktree';
  expect(await killedAt(6, 'after', ['make', kind])).toBe(true);
  const made = await places().make({ kind, cwd: project, name: 'fix' });
  expect([made.state, await readFile(join(made.folder, '1.txt'), 'utf8')]).toEqual(['ready', '1\n']);
});
