import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { writeAgent } from '../src/agents/config-files.ts';
import { readConfig } from '../src/config/read-config.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnwire-hostile-')));
  file = join(folder, 'project/.turnwire/config.json');
  mkdirSync(dirname(file), { recursive: true });
  mkdirSync(join(folder, 'config/turnwire'), { recursive: true });
  writeFileSync(join(folder, 'config/turnwire/config.json'), '{"format": "quiet"}');
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['a device', () => symlinkSync('/dev/zero', file), `cannot be read: a symbolic link leads out of`],
  [
    'a pipe',
    () => void execFileSync('mkfifo', [file]),
    'cannot be read: it is a named pipe, and only regular files are read.',
  ],
  ['long', () => writeFileSync(file, ' '.repeat(2_000_000)), 'cannot be read: it is longer than the 1048576 bytes'],
  ['no JSON', () => writeFileSync(file, '{"format": '), ':1:12: ValueExpected.'],
  ['wrong', () => writeFileSync(file, '{"format": 3}'), ':1:12: "format" must be one of text, json, quiet.'],
  ['nested too deeply', () => writeFileSync(file, '['.repeat(500_000)), 'it is nested too deeply.'],
])(
  "a project's configuration that is %s is reported and ignored, and the user's configuration applies",
  async (_what, plant, problem) => {
    plant();
    const { config, warnings } = await readConfig(join(folder, 'project'));
    expect([config, warnings]).toEqual([{ format: 'quiet', agents: {} }, [expect.stringContaining(problem)]]);
    expect(warnings[0]).toMatch(/\. Nothing of this file is used$/);
  },
);

test('agents add does not write through a link that leads out of the project', async () => {
  symlinkSync(join(folder, 'outside.json'), file);
  const place = { path: file, project: join(folder, 'project') };
  await expect(writeAgent(place, 'mine', { command: 'x' })).rejects.toThrow('a symbolic link leads out of');
  expect(existsSync(join(folder, 'outside.json'))).toBe(false);
});
