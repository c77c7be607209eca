import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { packagesOf, realAgents } from './agents.ts';

const folders: string[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

test('an agent that is installed in another version than that of the table counts as missing', async () => {
  const [pi] = realAgents.filter(({ name }) => name === 'pi');
  if (pi === undefined) throw new Error('pi is not in the table');
  const temporary = await mkdtemp(join(tmpdir(), 'install-'));
  folders.push(temporary);
  const put = async (path: string, text: string): Promise<void> => {
    const file = join(temporary, 'real-agents/install', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  await put(`node/node_modules/node-${process.platform}-${process.arch}/bin/node`, '');
  await put(`pi/node_modules/${pi.program}`, '');
  const [own = '', other = ''] = packagesOf(pi).map((each) => each.split(/(?<=.)@/));
  for (const [name = '', version] of [own, other])
    await put(`pi/node_modules/${name}/package.json`, JSON.stringify({ version }));
  vi.stubEnv('TMPDIR', temporary);
  const { installedAgent } = await import('./install.ts');
  const isInstalled = installedAgent(pi) !== undefined;
  await put(`pi/node_modules/${own[0] ?? ''}/package.json`, JSON.stringify({ version: '0.0.1' }));
  expect([isInstalled, installedAgent(pi) !== undefined]).toEqual([true, false]);
});
