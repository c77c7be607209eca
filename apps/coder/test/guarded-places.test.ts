import { mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SessionPermissions } from '../src/permission/session-permissions.ts';
import { Workspace } from '../src/workspace/workspace.ts';
import { LoopFixture } from './loop-fixture.ts';
import { calls, finishes, ScriptedModel } from './scripted-model.ts';

test("no tool and no link in a prompt reaches the product's own folders, even inside the workspace", async () => {
  const wanted: readonly (readonly [tool: string, input: object])[] = [
    ['read', { path: '.config/turnwire/coder.json' }],
    ['search', { text: 'sekrit' }],
    ['search', { text: 'sekrit', path: '.config/turnwire' }],
    ['write', { path: '.config/turnwire/permissions.json', content: '{}' }],
    ['move', { from: '.config', to: 'readable' }],
    ['delete', { path: '.config' }],
  ];
  const model = new ScriptedModel([
    ...wanted.map(([tool, input], index) => calls(tool, input, `call-${index}`)),
    finishes('tool-calls'),
  ]);
  const kept = '{"models":["sekrit"]}';
  await using fixture = await LoopFixture.open({
    model,
    files: { '.config/turnwire/coder.json': kept, 'a.txt': 'other' },
  });
  const file = join(fixture.folder, '.config/turnwire/coder.json');
  await fixture.prompt([
    { type: 'text', text: 'go' },
    { type: 'resource_link', name: 'it', uri: pathToFileURL(file).href },
  ]);
  const { content = [] } = fixture.conversation.findLast(({ role }) => role === 'tool') ?? {};
  const results = (content as readonly { readonly output: { readonly value: string } }[]).map(
    ({ output }) => output.value,
  );
  const outOfReach = expect.stringContaining('is out of reach: it belongs to Turnwire itself') as unknown;
  expect(results).toEqual([
    outOfReach,
    'No matches for sekrit.\n[Left out by permission rules: one file.]',
    outOfReach,
    outOfReach,
    outOfReach,
    outOfReach,
  ]);
  expect(JSON.stringify(fixture.conversation)).not.toContain('models');
  expect(await readFile(file, 'utf8')).toBe(kept);
});

test('a workspace that was replaced by a link is refused with the reason', async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'workspace-')));
  onTestFinished(() => rm(base, { recursive: true }));
  await mkdir(join(base, 'work'));
  await mkdir(join(base, 'other'));
  await writeFile(join(base, 'other/file'), 'secret');
  const workspace = await Workspace.open(join(base, 'work'));
  await rename(join(base, 'work'), join(base, 'moved'));
  await symlink('other', join(base, 'work'));
  const replaced = `The folder ${base}/work was replaced by a link to ${base}/other since the session began`;
  await expect(workspace.locate('file')).rejects.toThrow(replaced);
  await expect(workspace.locateEntry('file')).rejects.toThrow(replaced);
  await expect(workspace.requireCwd()).rejects.toThrow(replaced);
});

test('in the home folder, reading folders of secrets needs permission', async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'home-')));
  onTestFinished(() => rm(home, { recursive: true }));
  vi.stubEnv('HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const permissions = await SessionPermissions.open({ sessionId: 's', cwd: home, roots: [home], env: {} });
  const read = (path: string): string =>
    permissions.judge({ name: 'read', kind: 'read' }, { facts: { paths: [path] } }, 'allow').effect;
  const key = join(home, '.ssh/id_rsa');
  const other = join(home, 'notes');
  expect([read(other), permissions.forbidsReading(other), read(key), permissions.forbidsReading(key)]).toEqual([
    'allow',
    undefined,
    'ask',
    `asked: programs store keys or passwords in ${key}, and no rule allows access`,
  ]);
});
