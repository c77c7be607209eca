import { expect, test } from 'vitest';
import { z } from 'zod';
import { OutputTail } from '@turnwire/machine';
import type { McpServer } from '@turnwire/protocol';
import { failureReason } from '../src/mcp/failure-reason.ts';
import { describeProposal, describeServer } from '../src/mcp/known-server.ts';
import { logLines } from '../src/mcp/log-lines.ts';
import { listPages } from '../src/mcp/list-pages.ts';
import { promptValues } from '../src/mcp/prompt-values.ts';
import { secretRemover } from '../src/mcp/secrets.ts';
import { plainName, ToolNames } from '../src/mcp/tool-names.ts';
import { toolResult } from '../src/mcp/tool-result.ts';
import { toolSchema } from '../src/mcp/tool-schema.ts';
import { picture } from './fixtures/sample-mcp-server.mjs';

const http: McpServer = {
  type: 'http',
  name: 'web',
  url: 'https://user:pa%24word1@host.example/mcp?key=k-123456',
  headers: [{ name: 'Authorization', value: 'Bearer abcdef123' }],
};

const stdio: McpServer = {
  name: 'tools',
  command: '/usr/bin/tool',
  args: ['--in', 'my folder'],
  env: [
    { name: 'TOKEN', value: 'tok-secret' },
    { name: 'LEVEL', value: 'info' },
  ],
};

test('tool names consist of letters, digits, _ and -', () => {
  expect(['plain', 'two words', 'größe', '../../x', '日本', '__a__'].map(plainName)).toEqual([
    'plain',
    'two_words',
    'gro_e',
    'x',
    'xcf2abf0c',
    'a',
  ]);
});

test('two tools never get the same name', () => {
  const names = new ToolNames();
  const long = names.name('server', 'x'.repeat(100));
  expect([names.name('a b', 'c'), names.name('a_b', 'c'), names.name('a', 'c d')]).toEqual([
    'a_b__c',
    expect.stringMatching(/^a_b__c_[0-9a-f]{8}$/),
    'a__c_d',
  ]);
  expect(long).toMatch(/^server__x+_[0-9a-f]{8}$/);
  expect(long).toHaveLength(64);
});

test('any schema becomes an object schema', () => {
  const nothing = { type: 'object', properties: {} };
  expect([undefined, null, 'yes', [], { type: 'string' }, { type: ['object', 'null'] }].map(toolSchema)).toEqual(
    Array.from({ length: 6 }, () => nothing),
  );
});

test('references in a schema are resolved', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { at: { $ref: '#/$defs/point' }, far: { $ref: 'https://example.com/x' }, any: true },
    required: ['at', 'gone'],
    $defs: { point: { type: 'object', properties: { x: { type: 'number' } } } },
    additionalProperties: false,
  };
  expect(toolSchema(schema)).toEqual({
    type: 'object',
    properties: { at: { type: 'object', properties: { x: { type: 'number' } } }, far: {}, any: {} },
    required: ['at'],
  });
});

test('a recursive schema is cut', () => {
  expect(toolSchema({ type: 'object', properties: { name: { type: 'string' }, child: { $ref: '#' } } })).toEqual({
    type: 'object',
    properties: { name: { type: 'string' }, child: {} },
  });
});

test('a union at the top of a schema becomes one object with all fields', () => {
  const schema = { anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'number' } } }] };
  expect(toolSchema(schema)).toEqual({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'number' } },
  });
});

test('a field that no provider accepts is left out', () => {
  expect(toolSchema({ properties: { 'has space': {}, ok: {} }, required: ['has space'] })).toEqual({
    type: 'object',
    properties: { ok: {} },
  });
});

test('a schema that is too large keeps the names of its fields, or nothing', () => {
  const field = { type: 'string', description: 'x'.repeat(40_000) };
  expect(toolSchema({ properties: { big: field } })).toEqual({
    type: 'object',
    properties: { big: { type: 'string' } },
  });
  const many = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`field${at}`, { type: 'string' }]));
  expect(toolSchema({ properties: many })).toEqual({ type: 'object', properties: {} });
});

test('a very deep schema causes no error', () => {
  let deep: object = { type: 'string' };
  for (let level = 0; level < 5_000; level++) deep = { type: 'object', properties: { in: deep } };
  expect(JSON.stringify(toolSchema(deep)).length).toBeLessThan(2_000);
});

test('prompt arguments are taken by position, by name, and the last one to the end', () => {
  const known = [{ name: 'file' }, { name: 'tone' }];
  expect([
    promptValues('', known),
    promptValues('a.ts', known),
    promptValues('a.ts very kind indeed', known),
    promptValues('tone=kind "my file.ts"', known),
    promptValues(`file='a b' it's`, known),
    promptValues('x=1 y', known),
  ]).toEqual([
    {},
    { file: 'a.ts' },
    { file: 'a.ts', tone: 'very kind indeed' },
    { tone: 'kind', file: 'my file.ts' },
    { file: 'a b', tone: `it's` },
    { file: 'x=1', tone: 'y' },
  ]);
});

test('secrets are removed from texts; values too short to be secrets stay', () => {
  expect(secretRemover(stdio)('tok-secret at info')).toBe('[redacted] at info');
  expect(secretRemover(http)('abcdef123, Bearer abcdef123, pa$word1, k-123456, user')).toBe(
    '[redacted], [redacted], [redacted], [redacted], user',
  );
});

test('a server is described without its secrets', () => {
  expect([stdio, http].map(describeServer)).toEqual([`/usr/bin/tool --in 'my folder'`, 'https://host.example/mcp']);
});

test('the entry of a project is shown as it is written', () => {
  const entry = { command: 'npx', args: ['-y', 'x y'], env: { KEY: '${KEY}' } };
  expect(describeProposal({ file: '/p/.mcp.json', name: 'x', entry })).toBe(
    `npx -y 'x y'\nwith the variables {"KEY":"\${KEY}"}`,
  );
});

test('the last lines are kept, without control characters', () => {
  const log = new OutputTail(1_000);
  log.write(Buffer.from('one\ntwo\r\n\n\u001B[31mthr'));
  log.write(Buffer.from('ee\u001B[0m\nfo\u0007ur'));
  expect(logLines(log, 3)).toEqual(['two', 'three', 'fo ur']);
});

const words = { what: 'words', field: 'words', shape: z.string() };

test('the pages of a list are combined', async () => {
  const pages = [
    { words: ['a'], nextCursor: '1' },
    { words: ['b', 7], nextCursor: '' },
  ];
  expect(await listPages({ ...words, page: async (cursor) => pages[Number(cursor ?? 0)] ?? {} })).toEqual({
    items: ['a', 'b'],
    warnings: ['1 of its words are invalid and left out.'],
  });
});

test('a list without an end is cut', async () => {
  const endless = await listPages({ ...words, page: async (cursor) => ({ words: ['x'], nextCursor: `${cursor}.` }) });
  const circle = await listPages({ ...words, page: async () => ({ words: ['x'], nextCursor: 'again' }) });
  expect([endless, circle].map(({ items, warnings }) => [items.length, warnings])).toEqual([
    [100, ['Its list of words does not end; only the first 100 are used.']],
    [2, ['Its list of words does not end; only the first 2 are used.']],
  ]);
});

test('a list with too many entries is cut', async () => {
  const page = async (): Promise<{ words: string[] }> => ({ words: Array.from({ length: 20_000 }, () => 'x') });
  const { items, warnings } = await listPages({ ...words, page });
  expect([items.length, warnings]).toEqual([10_000, ['It has more than 10000 words; only the first 10000 are used.']]);
});

test('a failure message contains advice', () => {
  const coded = (code: string): Error => Object.assign(new Error('spawn'), { code });
  expect([
    failureReason(coded('ENOENT'), stdio),
    failureReason(new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }), http),
    failureReason(Object.assign(new Error('x'), { status: 401 }), http),
    failureReason(new Error('Error POSTing to endpoint (HTTP 404): no'), http),
    failureReason(new Error('why not'), http),
    failureReason('odd', http),
  ]).toEqual([
    'the program /usr/bin/tool was not found. Install it, or correct its path in the configuration',
    'nothing listens at host.example. Start the server, or correct its address',
    'it requires a login (HTTP 401). Check the header Authorization in its configuration',
    'there is no MCP server at its address (HTTP 404). Check the path',
    'why not',
    'odd',
  ]);
});

test('the model gets only valid images', async () => {
  const content = [
    { type: 'image', mimeType: 'image/gif', data: picture },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
  ];
  expect(toolResult({ content, isError: false }).images).toEqual([{ mimeType: 'image/png', data: picture }]);
});
