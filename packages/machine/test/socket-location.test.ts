import { chmod, chown, lstat, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pipeName, socketFolders, socketLocation } from '../src/socket-location.ts';

const { uid } = userInfo();
const nobody = 65_534;
/** Only root can create a folder that belongs to another user. */
const isSuperuser = uid === 0;

async function temporary(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-sock-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('the user’s own folders precede world-writable ones', () => {
  const env = { XDG_RUNTIME_DIR: '/run/user/7', XDG_STATE_HOME: '/home/me/state', TMPDIR: '/var/tmp' };
  expect(socketFolders(env)).toEqual([
    '/run/user/7/turnwire',
    '/home/me/state/turnwire/run',
    `/var/tmp/turnwire-${uid}`,
    `/tmp/turnwire-${uid}`,
    `/var/tmp/turnwire-${uid}-`,
  ]);
  expect(socketFolders({ ...env, XDG_RUNTIME_DIR: 'relative' })[0]).toBe('/home/me/state/turnwire/run');
});

describe.skipIf(process.platform === 'win32')('the folder of a socket', () => {
  test('is created for the user alone, and is used again the next time', async () => {
    const parent = await temporary();
    const folder = join(parent, 'run');
    const place = await socketLocation('/session', [folder]);
    expect([dirname(place.path), place.warnings, await readdir(folder)]).toEqual([folder, [], []]);
    expect(((await lstat(folder)).mode & 0o777).toString(8)).toBe('700');
    expect((await socketLocation('/session', [folder])).path).toBe(place.path);
    await place.remove();
    expect(await readdir(parent)).toEqual(['run']);
  });

  test('a socket path that would be too long is replaced by a shorter one', async () => {
    const parent = await temporary();
    const long = join(parent, 'x'.repeat(100));
    await mkdir(long);
    expect(await socketLocation('/session', [join(long, 'run'), join(parent, 'run')])).toMatchObject({
      path: expect.stringMatching(`^${join(parent, 'run')}/`),
      warnings: [],
    });
  });

  async function squatted(what: (folder: string) => Promise<unknown>): Promise<{ parent: string; warning: string }> {
    const parent = await temporary();
    const folder = join(parent, 'run');
    await what(folder);
    const place = await socketLocation('/session', [folder, join(parent, 'other-')]);
    const used = dirname(place.path);
    expect(used).toMatch(new RegExp(`^${join(parent, 'other-')}\\w{6}$`));
    await place.remove();
    expect((await readdir(parent)).filter((name) => name.startsWith('other-'))).toEqual([]);
    return { parent, warning: place.warnings.join('\n').replace(parent, '…').replace(used, 'ELSEWHERE') };
  }

  const instead =
    'so the socket of the session is in ELSEWHERE. Remove the first, or set XDG_RUNTIME_DIR to a folder of yours';

  test.runIf(isSuperuser)(
    'never belongs to another user, whose folder only causes a warning (run by root only)',
    async () => {
      const { warning } = await squatted(async (folder) => {
        await mkdir(folder);
        await chown(folder, nobody, nobody);
      });
      expect(warning).toBe(`…/run belongs to another user (uid ${nobody}), ${instead}`);
    },
  );

  test.runIf(isSuperuser)('is never inside another user’s folder (run by root only)', async () => {
    const parent = await temporary();
    const theirs = join(parent, 'theirs');
    await mkdir(theirs);
    await chown(theirs, nobody, nobody);
    const place = await socketLocation('/session', [join(theirs, 'run'), join(theirs, 'other-'), join(parent, 'run')]);
    expect([dirname(place.path), place.warnings.map((each) => each.split(',')[0]), await readdir(theirs)]).toEqual([
      join(parent, 'run'),
      ['run', 'other-'].map((name) => `${join(theirs, name)} is in a folder of another user (uid ${nobody})`),
      ['run'],
    ]);
  });

  test('is never a link or a file', async () => {
    const link = await squatted((folder) => symlink(tmpdir(), folder));
    const file = await squatted((folder) => writeFile(folder, ''));
    expect([link.warning, file.warning]).toEqual([
      `…/run is not a folder, ${instead}`,
      `…/run is not a folder, ${instead}`,
    ]);
  });

  test('is never in a folder where other users may replace it', async () => {
    const parent = await temporary();
    const [shared, sticky] = [join(parent, 'shared'), join(parent, 'sticky')];
    for (const folder of [shared, sticky]) await mkdir(folder);
    await chmod(shared, 0o777);
    await chmod(sticky, 0o1777);
    const place = await socketLocation('/session', [join(shared, 'run'), join(sticky, 'run')]);
    expect([dirname(place.path), place.warnings[0]?.split(',')[0]]).toEqual([
      join(sticky, 'run'),
      `${join(shared, 'run')} is in a folder other users may change`,
    ]);
  });

  test('is named with the reason if it cannot be created', async () => {
    const parent = await temporary();
    await expect(socketLocation('/session', [join(parent, 'missing', 'run')])).rejects.toThrow(
      `there is no folder for the socket of the session: ${join(parent, 'missing', 'run')} cannot be used (ENOENT). Set XDG_RUNTIME_DIR to one`,
    );
  });
});

test('a pipe is named after its user, with any user name', () => {
  expect(pipeName('dom\\ann lee', '0123')).toBe(String.raw`\\.\pipe\turnwire-dom_ann_lee-0123`);
});
