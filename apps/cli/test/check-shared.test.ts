import { mkdtemp, readdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { turnwire } from './command.ts';
import { startServer } from './running-server.ts';

test.each(['ws', 'http'])(
  'a gateway over %s meets the requirements for clients that share sessions',
  async (scheme) => {
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
  },
);

test('a server restricted to one folder conforms with --cwd; without it, requirements that need a session are not exercised', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-rooted-')));
  const server = await startServer(folder, []);
  const outcome = async (...words: readonly string[]): Promise<readonly unknown[]> => {
    const run = await turnwire(['check', '--only', 'capabilities/none', '--json', ...words, '--', server.acp], {
      env: { TURNWIRE_TOKEN: server.token },
    });
    const { requirements } = JSON.parse(run.stdout) as { readonly requirements: readonly Judged[] };
    const judged = requirements.find(({ id }) => id === 'R048');
    return [judged?.outcome, ...(judged?.findings ?? []).map(({ message }) => message)];
  };
  try {
    expect(await outcome('--cwd', folder)).toEqual(['passed']);
    expect(await outcome()).toEqual([
      'not exercised',
      expect.stringMatching(/^session\/new was refused: .*\. Name a folder in which the agent may work with --cwd$/),
    ]);
    expect((await readdir(folder)).filter((name) => name.startsWith('turnwire-'))).toEqual([]);
  } finally {
    await server.end();
  }
});

interface Judged {
  readonly id: string;
  readonly outcome: string;
  readonly findings: readonly { readonly message: string }[];
}
