import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientContext, Values } from '../client-context.ts';
import type { ClientAction } from '../drive/client-driver.ts';

/** Prepares the files that an action of a client needs, and returns their paths as values. */
export const fixtures: {
  readonly [action in ClientAction]?: (context: ClientContext, values: Values) => Promise<Values>;
} = {
  'add directory': library,
  'load with directory': library,
  image: pictures,
  mention: pictures,
  'mcp servers': servers,
};

async function library(context: ClientContext): Promise<Values> {
  const directory = context.sibling('library');
  await mkdir(directory, { recursive: true });
  return { directory };
}

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function pictures(context: ClientContext): Promise<Values> {
  const [image, blocks] = [join(context.folder, 'dot.png'), context.sibling('blocks.json')];
  await writeFile(image, Buffer.from(dot, 'base64'));
  await writeFile(join(context.folder, 'notes.txt'), 'Notes of a user.\n');
  const said = { type: 'text', text: 'What is this?' };
  await writeFile(blocks, JSON.stringify([said, { type: 'image', mimeType: 'image/png', data: dot }]));
  return { image, blocks, file: 'notes.txt' };
}

/** Two MCP servers, a program and a remote one, both as editors list them in files and as the protocol does. */
async function servers(context: ClientContext, { type = 'http' }: Values): Promise<Values> {
  const [file, list] = [context.sibling('servers.json'), context.sibling('server-list.json')];
  const program = { command: process.execPath, args: ['--version'] };
  const remote = { type, url: 'http://127.0.0.1:9/mcp' };
  const asEditorsDo = {
    program: { ...program, env: { LEVEL: 'high' } },
    remote: { ...remote, headers: { 'X-Level': 'high' } },
  };
  const asTheProtocolDoes = [
    { name: 'program', ...program, env: [{ name: 'LEVEL', value: 'high' }] },
    { name: 'remote', ...remote, headers: [{ name: 'X-Level', value: 'high' }] },
  ];
  await writeFile(file, JSON.stringify({ mcpServers: asEditorsDo }));
  await writeFile(list, JSON.stringify({ mcpServers: asTheProtocolDoes }));
  return { servers: file, serverList: list };
}
