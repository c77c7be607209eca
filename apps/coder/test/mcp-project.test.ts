import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { McpSession, sample, samplePath as program } from './mcp-session.ts';

function config(servers: object): Record<string, string> {
  return { '.mcp.json': JSON.stringify({ mcpServers: servers }) };
}

const own = config({ own: { command: process.execPath, args: [program], env: { TOKEN: '${TOKEN:-none}' } } });

/** A folder that outlives a session. */
async function project(): Promise<{ readonly folder: string } & AsyncDisposable> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'coder-mcp-project-')));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

test("a project's server is started only after the user agrees to exactly that entry", async () => {
  await using session = await McpSession.open({ files: own, answers: [['own__echo', { text: 'hello' }]] });
  await session.prompt();
  const [first] = session.permissions;
  const text = `${join(session.folder, '.mcp.json')} wants the MCP server own:\n\n${process.execPath} ${program}\nwith the variables {"TOKEN":"\${TOKEN:-none}"}\n\nIt runs with your rights, outside of the agent.`;
  expect(first?.toolCall).toMatchObject({
    title: 'Connect the MCP server own of this project',
    content: [{ type: 'content', content: { type: 'text', text } }],
  });
  expect(session.results).toEqual([{ type: 'text', value: 'hello' }]);
});

test("a project's server that the user refuses is not started", async () => {
  await using session = await McpSession.open({ files: own, permission: () => 'reject_once' });
  await session.prompt();
  await session.prompt();
  expect(session.permissions).toHaveLength(1);
  expect(session.offered).toEqual([]);
  await session.prompt('/mcp');
  expect(session.said).toContain('refused by you; `/mcp allow own` allows it');
  await session.prompt('/mcp allow own');
  expect(session.said).toContain('connected, 15 tools');
  await session.prompt('/mcp deny own');
  await session.prompt();
  expect(session.offered).toEqual([]);
});

test('a dismissed question is asked again', async () => {
  const answers = [undefined, 'allow_once'];
  await using session = await McpSession.open({ files: own, permission: () => answers.shift() });
  await session.prompt();
  await session.prompt();
  expect(session.permissions).toHaveLength(2);
  expect(session.offered).toContain('own__echo');
});

test('a permanent decision applies as long as the entry is unchanged', async () => {
  await using there = await project();
  const asked: number[] = [];
  const visit = async (files: Record<string, string>, option: string): Promise<readonly string[]> => {
    await using session = await McpSession.open({ ...there, files, permission: () => option });
    await session.prompt();
    asked.push(session.permissions.length);
    return session.offered.slice(0, 1);
  };
  const changed = config({ own: { command: process.execPath, args: [program, '--more'] } });
  expect(await visit(own, 'allow_always')).toEqual(['own__echo']);
  expect(await visit(own, 'reject_once')).toEqual(['own__echo']);
  expect(await visit(changed, 'reject_always')).toEqual([]);
  expect(await visit(changed, 'allow_once')).toEqual([]);
  expect(asked).toEqual([1, 0, 1, 0]);
});

test('both files of a project are read, and an invalid entry does not affect the others', async () => {
  const files = {
    '.mcp.json': JSON.stringify({
      mcpServers: { broken: { url: '${NOT_SET}' }, fine: { command: process.execPath, args: [program] } },
    }),
    '.turnwire/mcp.json': '{ "servers": { "second": { "command": "node", "args": ["x"] }, } }',
  };
  await using session = await McpSession.open({ files, permission: () => 'reject_once' });
  await session.prompt();
  expect(session.permissions.map(({ toolCall: { title } }) => title)).toEqual([
    'Connect the MCP server fine of this project',
    'Connect the MCP server second of this project',
  ]);
  expect(session.notices).toEqual([
    `${join(session.folder, '.mcp.json')}: server broken: url: the variable NOT_SET is not set. Set it, or add a default: \${NOT_SET:-…}.`,
  ]);
});

test('a file that is not JSON is reported', async () => {
  await using session = await McpSession.open({ files: { '.mcp.json': '{"mcpServers": ' } });
  await session.prompt();
  expect(session.notices).toEqual([`${join(session.folder, '.mcp.json')} is not JSON. Its MCP servers are not used.`]);
});

test("of servers with the same name the client's takes precedence over the user's, and that over the project's", async () => {
  await using there = await project();
  const servers = {
    one: { command: process.execPath, args: [program] },
    two: { command: process.execPath, args: [program] },
  };
  await writeFile(join(there.folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
  const files = { '.config/turnwire/coder.json': JSON.stringify({ mcpServers: servers }) };
  await using session = await McpSession.open({ ...there, files, servers: [sample('one')] });
  await session.prompt();
  expect(session.permissions).toEqual([]);
  expect(session.notices).toEqual([
    'There are two MCP servers one: that of the client is used, that of your settings is not.',
    'There are two MCP servers one: that of the client is used, that of this project is not.',
    'There are two MCP servers two: that of your settings is used, that of this project is not.',
  ]);
  await session.prompt('/mcp');
  expect(session.said).toMatch(/\*\*`one`\*\* \(provided by the client.*\*\*`two`\*\* \(from your settings/su);
});
