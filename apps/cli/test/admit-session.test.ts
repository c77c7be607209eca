import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { admitSession } from '../src/commands/serve/admit-session.ts';

let root: string;
let outside: string;
beforeEach(async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-admit-')));
  [root, outside] = [join(folder, 'root'), join(folder, 'root-other')];
  await Promise.all([mkdir(join(root, 'inner'), { recursive: true }), mkdir(outside)]);
  await symlink(outside, join(root, 'link'));
  return () => rm(folder, { recursive: true });
});

const local = { tenant: 'local', scope: 'control' } as const;

/** What is returned, or the message of what is thrown. */
function outcomeOf(admit: () => unknown): unknown {
  try {
    return admit();
  } catch (error) {
    return (error as Error).message;
  }
}

function refusal(cwd: string, additionalDirectories: readonly string[] = []): string | undefined {
  const admit = admitSession({ roots: [root], mcpServers: false });
  const wanted = { cwd, additionalDirectories, mcpServers: [] };
  const outcome = outcomeOf(() => admit(wanted, local));
  return outcome === wanted ? undefined : String(outcome);
}

test('a session may work in the roots and below them, but not next to them, above them, or behind a link that leads out', () => {
  const allowed = [refusal(root), refusal(join(root, 'inner')), refusal(root, [join(root, 'inner')])];
  const refused = [outside, '/', join(root, '..'), join(root, 'link')].map((cwd) => refusal(cwd));
  expect(allowed).toEqual([undefined, undefined, undefined]);
  const message = expect.stringContaining('is in none of the folders');
  expect([...refused, refusal(root, [outside])]).toEqual(Array.from({ length: 5 }, () => message));
});

test.each([
  { tenant: 'local', scope: 'control', mcpServers: false, isAllowed: false },
  { tenant: 'local', scope: 'control', mcpServers: true, isAllowed: true },
  { tenant: 'blue', scope: 'admin', mcpServers: false, isAllowed: false },
  { tenant: 'local', scope: 'admin', isOwner: true, mcpServers: false, isAllowed: true },
] as const)(
  'MCP servers of a client are admitted with --allow-mcp-servers or for the owner: %j',
  ({ mcpServers, isAllowed, ...principal }) => {
    const server = { name: 'metadata', type: 'http', url: 'http://169.254.169.254/', headers: [] } as const;
    const wanted = { cwd: root, additionalDirectories: [], mcpServers: [server] };
    const admit = (): unknown => admitSession({ roots: [root], mcpServers })(wanted, principal);
    const refused = 'This token may not name MCP servers: the server was started without --allow-mcp-servers';
    expect(outcomeOf(admit)).toEqual(isAllowed ? wanted : refused);
  },
);
