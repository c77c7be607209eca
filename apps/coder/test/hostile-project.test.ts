import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSettings } from '../src/config/settings.ts';
import { findRepository } from '../src/prompt/repository.ts';
import { configuredServers } from '../src/mcp/configured-servers.ts';

let cwd: string;

beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'coder-hostile-')));
});

afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const traps: readonly (readonly [string, (path: string) => void, string])[] = [
  ['a device', (path) => symlinkSync('/dev/zero', path), 'a symbolic link leads out of'],
  ['a pipe', (path) => void execFileSync('mkfifo', [path]), 'it is a named pipe, and only regular files are read.'],
  ['long', (path) => writeFileSync(path, ' '.repeat(2_000_000)), 'it is longer than the 1048576 bytes'],
];

function plant(name: string, trap: (path: string) => void): string {
  const path = join(cwd, name);
  mkdirSync(dirname(path), { recursive: true });
  trap(path);
  return path;
}

describe.each(traps)('a project file that is %s is reported and ignored:', (_what, trap, reason) => {
  test.each(['.mcp.json', '.turnwire/mcp.json'])('%s', async (name) => {
    const path = plant(name, trap);
    const { servers, warnings } = await configuredServers({ client: [], cwd, env: {} });
    expect([servers, warnings]).toEqual([[], [expect.stringContaining(`${path} cannot be read: ${reason}`)]]);
    expect(warnings[0]).toMatch(/\. Its MCP servers are not used\.$/);
  });

  test('.turnwire/coder.json', async () => {
    const path = plant('.turnwire/coder.json', trap);
    const { warnings } = await readSettings({ cwd, env: { XDG_CONFIG_HOME: join(cwd, 'none') }, options: {} });
    expect(warnings).toEqual([expect.stringContaining(`${path} cannot be read: ${reason}`)]);
  });

  test.each(['.git/HEAD', '.git'])('%s', async (name) => {
    plant(name, trap);
    expect(await findRepository(cwd)).toEqual({ root: cwd, branch: undefined });
  });
});

test('JSON that is nested too deeply is reported', async () => {
  const nested = (path: string): void => writeFileSync(path, '['.repeat(500_000));
  const paths = [plant('.mcp.json', nested), plant('.turnwire/coder.json', nested)];
  const { warnings } = await configuredServers({ client: [], cwd, env: {} });
  const settings = await readSettings({ cwd, env: { XDG_CONFIG_HOME: join(cwd, 'none') }, options: {} });
  expect([...warnings, ...settings.warnings]).toEqual([
    `${paths[0]} is not JSON. Its MCP servers are not used.`,
    `${paths[1]}: it is nested too deeply. The whole file is ignored until it is repaired.`,
  ]);
});
