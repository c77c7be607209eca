import { mkdir, open, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fileContent } from '../../src/node/content/file-content.ts';
import { promptContent } from '../../src/node/content/prompt-content.ts';
import { localFiles } from '../../src/node/files/local-files.ts';
import { insideRoots } from '../../src/node/files/roots.ts';
import { localTerminals } from '../../src/node/terminals/local-terminals.ts';
import { failure, pair } from '../agent/agent-pair.ts';
import { FileWorld, heldByPath } from './file-world.ts';

const outOfReach = (path: string): unknown => ({
  code: -32602,
  message:
    `…/${path} is out of reach: it belongs to Turnwire itself, which keeps settings, keys and sessions there, ` +
    'and no session may read or change it. Ask the user to do it.',
});

/** A session in a folder that the product considers the home folder. */
async function home(holding?: typeof heldByPath): Promise<FileWorld> {
  const world = await FileWorld.make({}, holding);
  vi.stubEnv('XDG_CONFIG_HOME', world.at('in/.config'));
  vi.stubEnv('XDG_STATE_HOME', world.at('in/.state'));
  vi.stubEnv('XDG_DATA_HOME', world.at('in/.data'));
  vi.stubEnv('XDG_CACHE_HOME', world.at('in/.cache'));
  onTestFinished(() => void vi.unstubAllEnvs());
  await mkdir(world.at('in/.data/turnwire/coder'), { recursive: true });
  await writeFile(world.at('in/.data/turnwire/coder/keys.json'), 'secret');
  return world;
}

describe.each([
  { way: 'the best way of this machine', holding: undefined },
  { way: 'the way by path', holding: heldByPath },
])('by $way', ({ holding }) => {
  test('a session folder replaced by a link is refused with an explanation', async () => {
    await using world = await FileWorld.make({}, holding);
    await writeFile(world.at('out/file'), 'secret');
    Object.assign(world.context, { realRoots: [world.at('in')] });
    await rename(world.at('in'), world.at('moved'));
    await symlink('out', world.at('in'));
    const refused = {
      code: -32602,
      message:
        '…/in/file is not used: since the session began, its folder …/in was replaced by a link that leads to …/out. ' +
        'Put the folder back, or start a new session.',
    };
    expect([await world.read('in/file'), await world.write('in/file', 'x'), await world.everything()]).toEqual([
      refused,
      refused,
      { in: '(link)', moved: '(folder)', out: '(folder)', 'out/file': 'secret' },
    ]);
  });

  test("the product's own folders are out of reach of a session in the home folder, even through links", async () => {
    await using world = await home(holding);
    await symlink('.data/turnwire', world.at('in/link'));
    await symlink('.state/turnwire/new', world.at('in/dangling'));
    const before = await world.everything();
    const paths = [
      'in/.data/turnwire/coder/keys.json',
      'in/.data/turnwire/none',
      'in/link/coder/keys.json',
      'in/dangling',
      'in/.config/turnwire',
      'in/.config/turnwire/permissions.json',
      'in/.state/turnwire/sessions/x/session.json',
      'in/.cache/turnwire/registry/x.json',
    ];
    for (const path of paths)
      expect([await world.read(path), await world.write(path, 'x')]).toEqual([outOfReach(path), outOfReach(path)]);
    expect(await world.everything()).toEqual(before);
    expect(await world.write('in/.config/turnwired', 'x')).toEqual({});
  });
});

test('the search for a line stops after a maximum number of bytes', async () => {
  await using world = await FileWorld.make({ searchLimit: 1024 * 1024 });
  await using file = await open(world.at('in/sparse'), 'w');
  await file.write('one\ntwo\n');
  await file.truncate(100 * 1024 ** 3);
  expect([await world.read('in/sparse', { line: 2, limit: 1 }), await world.read('in/sparse', { line: 1e9 })]).toEqual([
    { content: 'two\n' },
    {
      code: -32602,
      message:
        'Line 1000000000 of …/in/sparse does not begin in its first 1048576 bytes, and lines are not searched beyond that. ' +
        'Request an earlier line, or read the file with a command.',
    },
  ]);
});

test("files in the product's own folders are neither mentioned nor attached", async () => {
  await using world = await home();
  const path = 'in/.data/turnwire/coder/keys.json';
  const cwd = world.at('in');
  expect([
    await insideRoots(world.at(path), [cwd]),
    await promptContent({ text: 'see @.data/turnwire/coder/keys.json' }, { embeddedContext: true }, { cwd }),
  ]).toEqual([false, [{ type: 'text', text: 'see @.data/turnwire/coder/keys.json' }]]);
  await expect(fileContent(world.at(path), { embeddedContext: true })).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('cannot be attached: it belongs to Turnwire itself') as unknown,
  });
});

test("no command starts in a folder replaced by a link, nor in one of the product's own folders", async () => {
  await using world = await home();
  await using terminals = { of: localTerminals(), [Symbol.asyncDispose]: () => terminals.of.releaseAll() };
  const create = async (cwd: string): Promise<unknown> =>
    terminals.of.create(
      { sessionId: 's', command: 'true', cwd },
      { ...world.context, realRoots: [world.at('in'), world.at('gone')], roots: [world.at('in'), world.at('gone')] },
    );
  await symlink('out', world.at('gone'));
  await expect(create(world.at('in/.data/turnwire'))).rejects.toThrow(
    /Commands cannot start in .*belongs to Turnwire itself/u,
  );
  await expect(create(join(world.at('gone')))).rejects.toThrow(
    /since the session began, .*gone was replaced by a link/u,
  );
});

test('the folders of a session are fixed before its agent sees them', async () => {
  await using world = await FileWorld.make();
  const cwd = world.at('in');
  await writeFile(world.at('out/file'), 'secret');
  await using both = await pair({
    host: { files: localFiles() },
    handlers: {
      'session/new': async () => {
        await rename(cwd, world.at('moved'));
        await symlink('out', cwd);
        return { sessionId: 'one' };
      },
    },
  });
  await both.agent.newSession({ cwd });
  const reading = both.theirs.request('fs/read_text_file', { sessionId: 'one', path: join(cwd, 'file') });
  expect((await failure(reading)).message).toContain('was replaced by a link');
});
