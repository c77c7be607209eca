import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { turnwire } from './command.ts';
import { startServer } from './running-server.ts';

test.each(['ws', 'http'])('clients share the sessions of a gateway over %s as the kit asks', async (scheme) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-shared-')));
  const server = await startServer(folder, []);
  try {
    const words = ['check', '--profile', 'dialect', '--only', 'shared/*', '--json', '--', server.acp];
    const { stdout } = await turnwire(
      words.map((word) => word.replace(/^ws:/, `${scheme}:`)),
      { cwd: folder, env: { TURNWIRE_TOKEN: server.token, TMPDIR: folder } },
    );
    const { requirements } = JSON.parse(stdout) as {
      readonly requirements: readonly { readonly id: string; readonly outcome: string }[];
    };
    const shared = requirements.filter(({ id }) => ['R373', 'R374', 'R375', 'R376'].includes(id));
    expect(shared.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      'R373 passed',
      'R374 passed',
      'R375 passed',
      'R376 passed',
    ]);
  } finally {
    await server.end();
  }
});
