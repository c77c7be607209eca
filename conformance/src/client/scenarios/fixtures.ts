import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientStage, Values } from '../client-stage.ts';
import type { ClientAction } from '../drive/client-driver.ts';

/** What lies ready for clients that are to do something with files, and where: by what they are to do. */
export const fixtures: { readonly [action in ClientAction]?: (stage: ClientStage, values: Values) => Promise<Values> } =
  {
    'add directory': library,
    'load with directory': library,
    image: pictures,
    mention: pictures,
    'mcp servers': servers,
  };

async function library(stage: ClientStage): Promise<Values> {
  const directory = stage.beside('library');
  await mkdir(directory, { recursive: true });
  return { directory };
}

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function pictures(stage: ClientStage): Promise<Values> {
  const [image, blocks] = [join(stage.folder, 'dot.png'), stage.beside('blocks.json')];
  await writeFile(image, Buffer.from(dot, 'base64'));
  await writeFile(join(stage.folder, 'notes.txt'), 'Notes of a user.\n');
  const said = { type: 'text', text: 'What is this?' };
  await writeFile(blocks, JSON.stringify([said, { type: 'image', mimeType: 'image/png', data: dot }]));
  return { image, blocks, file: 'notes.txt' };
}

/** Two MCP servers, a program and one that is far away, as editors name them in files and as the protocol does. */
async function servers(stage: ClientStage, { type = 'http' }: Values): Promise<Values> {
  const [file, list] = [stage.beside('servers.json'), stage.beside('server-list.json')];
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
