import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sessionFixture } from './session-fixture.ts';

test.skipIf(process.platform === 'win32')(
  'a socket folder that others may change stops no session, and the user gets advice',
  async () => {
    const { run } = await sessionFixture();
    const runtime = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-sock-')));
    onTestFinished(() => rm(runtime, { recursive: true }));
    await chmod(runtime, 0o777);
    const begun = await run(['sessions', 'new'], { env: { XDG_RUNTIME_DIR: runtime } });
    expect(begun).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/),
      stderr: expect.stringMatching(
        new RegExp(
          `^turnwire: ${runtime}/turnwire is in a folder other users may change, so the socket of the session is in /.*\n$`,
        ),
      ),
    });
    expect((await run(['say hello'])).stdout).toBe('hello\n');
  },
);
