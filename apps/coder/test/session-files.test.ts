import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { connectClient, errorCodes, ProtocolError, protocolVersion } from '@turnwire/protocol';
import { localFiles } from '@turnwire/client/node';
import { memoryPair } from '@turnwire/transports/memory';
import { serveCoder } from '../src/index.ts';
import { SessionFiles } from '../src/workspace/session-files.ts';
import { Editor } from './editor.ts';
import { calls, finishes, ScriptedModel } from './scripted-model.ts';
import { ToolFixture } from './tool-fixture.ts';
import type { FixtureClient } from './tool-fixture.ts';

let fixture: ToolFixture;

afterEach(() => fixture[Symbol.asyncDispose]());

async function open(client: FixtureClient = {}): Promise<(name: string) => string> {
  fixture = await ToolFixture.open(client);
  return (name) => join(fixture.folder, name);
}

const disk = (name: string): Promise<string> => readFile(join(fixture.folder, name), 'utf8');
const oneToTwo = { path: 'a.txt', oldText: 'one', newText: 'two' };

test.each([
  ['edit', oneToTwo],
  ['write', { path: 'a.txt', content: 'two' }],
])('%s does not change a file that was not read', async (tool, input) => {
  const at = await open();
  await writeFile(at('a.txt'), 'one');
  await expect(fixture.use(tool, input)).rejects.toThrow(
    'a.txt exists and was not read in this session; nothing was changed. Read it first.',
  );
  expect(await disk('a.txt')).toBe('one');
});

test.each([
  ['edit', oneToTwo],
  ['write', { path: 'a.txt', content: 'two' }],
])('%s does not change a file that changed since it was read', async (tool, input) => {
  const at = await open();
  await writeFile(at('a.txt'), 'one');
  await fixture.use('read', { path: 'a.txt' });
  await writeFile(at('a.txt'), 'one, by hand');
  await expect(fixture.use(tool, input)).rejects.toThrow(
    'a.txt changed since it was read; nothing was changed. Read it again.',
  );
  expect(await disk('a.txt')).toBe('one, by hand');
  await fixture.use('read', { path: 'a.txt' });
  await fixture.use(tool, input);
  expect(await disk('a.txt')).toMatch(/^two/);
});

test('a file that this session wrote need not be read', async () => {
  await open();
  await fixture.use('write', { path: 'a.txt', content: 'one' });
  await fixture.use('edit', oneToTwo);
  await fixture.use('edit', { path: 'a.txt', oldText: 'two', newText: 'three' });
  expect(await disk('a.txt')).toBe('three');
});

test('a text in another encoding is kept with a client that knows only UTF-8; a file that a client refuses for other reasons is not read', async () => {
  const files = localFiles();
  const context = { roots: [] as string[], signal: new AbortController().signal };
  const at = await open({
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    handlers: {
      'fs/read_text_file': async (request) => {
        if (request.path.endsWith('secret.txt')) throw new ProtocolError(errorCodes.internalError, 'The user said no');
        return files.readTextFile(request, context);
      },
      'fs/write_text_file': (request) => files.writeTextFile(request, context),
    },
  });
  context.roots.push(fixture.folder);
  const encoded = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
  await writeFile(at('a.txt'), encoded('größer als one\n'));
  await writeFile(at('secret.txt'), encoded('größer als one\n'));
  const { text } = await fixture.use('read', { path: 'a.txt' });
  await fixture.use('edit', oneToTwo);
  expect(text).toContain('größer als one\n');
  expect(await readFile(at('a.txt'))).toEqual(encoded('größer als two\n'));
  await expect(fixture.use('read', { path: 'secret.txt' })).rejects.toThrow('The user said no');
});

test('a file that changes between permission and write is left alone', async () => {
  const at = await open();
  await writeFile(at('a.txt'), 'one');
  await fixture.use('read', { path: 'a.txt' });
  const { run } = await fixture.prepare('edit', oneToTwo);
  await writeFile(at('a.txt'), 'by hand');
  const report = {} as Parameters<typeof run>[0];
  await expect(run(report)).rejects.toThrow('a.txt changed in the meantime; nothing was written. Read it again.');
  expect([await disk('a.txt'), await readdir(fixture.folder)]).toEqual(['by hand', ['a.txt']]);
});

test('a file that appears between permission and write is left alone', async () => {
  const at = await open();
  const { run } = await fixture.prepare('write', { path: 'a.txt', content: 'mine' });
  await writeFile(at('a.txt'), 'theirs');
  await expect(run({} as Parameters<typeof run>[0])).rejects.toThrow('a.txt changed in the meantime');
  expect(await disk('a.txt')).toBe('theirs');
});

test('of two simultaneous changes to the same text one is made', async () => {
  const at = await open();
  await writeFile(at('a.txt'), 'one\n');
  const path = { real: at('a.txt'), shown: 'a.txt' };
  const client = {};
  const change = (text: string): Promise<unknown> => fixture.files.replace(path, { expected: 'one\n', text }, client);
  const outcomes = await Promise.allSettled([change('two\n'), change('three\n')]);
  expect([outcomes.map(({ status }) => status), await disk('a.txt')]).toEqual([['fulfilled', 'rejected'], 'two\n']);
});

test('unsaved changes are read and changed', async () => {
  const editor = new Editor({ reads: true, writes: true });
  const at = await open(editor);
  await writeFile(at('a.txt'), 'one');
  editor.buffers.set(at('a.txt'), 'one, unsaved');
  const { text } = await fixture.use('read', { path: 'a.txt' });
  await fixture.use('edit', oneToTwo);
  expect([text, await disk('a.txt')]).toEqual([
    'one, unsaved\n[This is the text in the editor, with changes that are not saved yet.]',
    'two, unsaved',
  ]);
});

test('a change goes through the client once, and not to the disk as well', async () => {
  const editor = new Editor({ reads: true, writes: true });
  editor.saves = false;
  const at = await open(editor);
  await writeFile(at('a.txt'), 'one');
  await fixture.use('read', { path: 'a.txt' });
  const { text } = await fixture.use('edit', oneToTwo);
  expect([editor.asked.filter((each) => each.startsWith('write')), await disk('a.txt'), text.split('\n')[1]]).toEqual([
    ['write a.txt'],
    'one',
    'The editor has it, but has not saved it: commands still see the old file.',
  ]);
});

test('saving a file since the read does not count as a change', async () => {
  const editor = new Editor({ reads: true, writes: true });
  const at = await open(editor);
  await writeFile(at('a.txt'), 'zero');
  editor.buffers.set(at('a.txt'), 'one');
  await fixture.use('read', { path: 'a.txt' });
  await writeFile(at('a.txt'), 'one');
  await fixture.use('edit', oneToTwo);
  expect(await disk('a.txt')).toBe('two');
});

test('typing since the read counts as a change', async () => {
  const editor = new Editor({ reads: true, writes: true });
  const at = await open(editor);
  await writeFile(at('a.txt'), 'one');
  await fixture.use('read', { path: 'a.txt' });
  editor.buffers.set(at('a.txt'), 'one and more');
  await expect(fixture.use('edit', oneToTwo)).rejects.toThrow('a.txt changed since it was read');
});

test('a change on the disk beneath unsaved changes counts as a change', async () => {
  const editor = new Editor({ reads: true, writes: true });
  const at = await open(editor);
  await writeFile(at('a.txt'), 'zero');
  editor.buffers.set(at('a.txt'), 'one');
  await fixture.use('read', { path: 'a.txt' });
  await writeFile(at('a.txt'), 'by a command');
  await expect(fixture.use('edit', oneToTwo)).rejects.toThrow('a.txt changed since it was read');
});

test('an outdated text of an editor is not used', async () => {
  const editor = new Editor({ reads: true, writes: true });
  const at = await open(editor);
  await writeFile(at('a.txt'), 'zero');
  editor.buffers.set(at('a.txt'), 'zero');
  await fixture.use('read', { path: 'a.txt' });
  await writeFile(at('a.txt'), 'one, by a command');
  const { text } = await fixture.use('read', { path: 'a.txt' });
  await fixture.use('edit', oneToTwo);
  expect([text, await disk('a.txt'), editor.buffers.get(at('a.txt'))]).toEqual([
    'one, by a command\n[This is the text on the disk; the editor still shows an earlier one.]',
    'two, by a command',
    'two, by a command',
  ]);
});

test('a file that only the editor has is read and written there', async () => {
  const editor = new Editor({ reads: true, writes: true });
  const at = await open(editor);
  editor.buffers.set(at('a.txt'), 'one');
  const { text } = await fixture.use('read', { path: 'a.txt' });
  await fixture.use('edit', oneToTwo);
  expect([text, await disk('a.txt')]).toEqual([
    'one\n[This is the text in the editor, with changes that are not saved yet.]',
    'two',
  ]);
});

test('an editor that reads and does not write loses no unsaved changes', async () => {
  const editor = new Editor({ reads: true, writes: false });
  const at = await open(editor);
  await writeFile(at('a.txt'), 'one');
  editor.buffers.set(at('a.txt'), 'one, unsaved');
  await fixture.use('read', { path: 'a.txt' });
  await expect(fixture.use('edit', oneToTwo)).rejects.toThrow(
    'a.txt has unsaved changes in the editor, which does not let agents write; nothing was written. Ask for the file to be saved first.',
  );
  expect(await disk('a.txt')).toBe('one');
});

test('an editor that reads and does not write leaves the writing to the disk', async () => {
  const editor = new Editor({ reads: true, writes: false });
  const at = await open(editor);
  await writeFile(at('a.txt'), 'one\r\n');
  editor.buffers.set(at('a.txt'), 'one\n');
  await fixture.use('read', { path: 'a.txt' });
  await fixture.use('edit', oneToTwo);
  expect(await disk('a.txt')).toBe('two\r\n');
  await fixture.use('edit', { path: 'a.txt', oldText: 'two', newText: 'three' });
  expect(await disk('a.txt')).toBe('three\r\n');
});

test('an editor that writes and does not read is written through', async () => {
  const editor = new Editor({ reads: false, writes: true });
  const at = await open(editor);
  await writeFile(at('a.txt'), '\uFEFFone');
  await fixture.use('read', { path: 'a.txt' });
  await fixture.use('edit', oneToTwo);
  expect([await disk('a.txt'), editor.asked]).toEqual(['\uFEFFtwo', ['write a.txt']]);
});

test('changes that the editor makes on saving are reported and shown, and must be read before the next edit', async () => {
  const editor = new Editor({ reads: true, writes: true });
  editor.format = (text) => text.toUpperCase();
  const at = await open(editor);
  await writeFile(at('a.txt'), 'one');
  await fixture.use('read', { path: 'a.txt' });
  expect(await fixture.use('edit', oneToTwo)).toEqual({
    text:
      'Replaced one occurrence in a.txt.\n' +
      'The client changed it when saving it, by formatting for example. Read it again before you change more of it.',
    content: [{ type: 'diff', path: at('a.txt'), oldText: 'one', newText: 'TWO' }],
  });
  const again = { path: 'a.txt', oldText: 'TWO', newText: 'three' };
  await expect(fixture.use('edit', again)).rejects.toThrow('a.txt changed since it was read');
});

test('an editor that drops a change is detected', async () => {
  const editor = new Editor({ reads: true, writes: true });
  editor.format = () => 'one';
  const at = await open(editor);
  await writeFile(at('a.txt'), 'one');
  await fixture.use('read', { path: 'a.txt' });
  const { text } = await fixture.use('edit', oneToTwo);
  expect(text).toContain('The client accepted it, but the file does not have it. Read it again before you continue.');
});

test('the file counts as missing if an editor returns an empty text for a missing file', async () => {
  const editor = new Editor({ reads: true, writes: true });
  const at = await open(editor);
  editor.buffers.set(at('a.txt'), '');
  await expect(fixture.use('read', { path: 'a.txt' })).rejects.toThrow('There is no file a.txt.');
  await fixture.use('write', { path: 'a.txt', content: 'one' });
  expect(await disk('a.txt')).toBe('one');
});

test('an editor that decodes every file as UTF-8 does not damage other encodings', async () => {
  const editor = new Editor({ reads: true, writes: true });
  const at = await open(editor);
  const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
  await writeFile(at('a.txt'), utf16('one\n'));
  await fixture.use('read', { path: 'a.txt' });
  await fixture.use('edit', oneToTwo);
  expect([await readFile(at('a.txt')), editor.asked.filter((each) => each.startsWith('write'))]).toEqual([
    utf16('two\n'),
    [],
  ]);
});

const refusing = (method: 'fs/read_text_file' | 'fs/write_text_file'): FixtureClient => {
  const editor = new Editor({ reads: true, writes: true });
  const refuse = (): never => {
    throw new ProtocolError(errorCodes.internalError, 'the file is locked');
  };
  return { capabilities: editor.capabilities, handlers: { ...editor.handlers, [method]: refuse } };
};

test.each([
  ['edit', { path: 'a.txt', oldText: 'two', newText: 'TWO' }],
  ['write', { path: 'a.txt', content: 'one\nTWO\n' }],
])('an editor without CRLF support keeps the line endings of files: %s', async (tool, input) => {
  const editor = new Editor({ reads: true, writes: true });
  editor.format = (text) => text.replaceAll('\r\n', '\n');
  const at = await open(editor);
  await writeFile(at('a.txt'), 'one\r\ntwo\r\n');
  editor.buffers.set(at('a.txt'), 'one\ntwo\n');
  await fixture.use('read', { path: 'a.txt' });
  await fixture.use(tool, input);
  const first = await disk('a.txt');
  await fixture.use('edit', { path: 'a.txt', oldText: 'one', newText: 'ONE' });
  expect([first, await disk('a.txt')]).toEqual(['one\r\nTWO\r\n', 'ONE\r\nTWO\r\n']);
});

test('the file counts as missing if an editor reports that with a system error', async () => {
  const editor = new Editor({ reads: true, writes: true });
  const read = async ({ path }: { readonly path: string }): Promise<{ content: string }> => {
    const content = await readFile(path, 'utf8').catch((error: unknown) => error);
    if (typeof content === 'string') return { content };
    throw new ProtocolError(errorCodes.internalError, 'Internal error', { details: String(content) });
  };
  await open({ capabilities: editor.capabilities, handlers: { ...editor.handlers, 'fs/read_text_file': read } });
  await fixture.use('write', { path: 'a.txt', content: 'one' });
  await fixture.use('edit', oneToTwo);
  await expect(fixture.use('read', { path: 'b.txt' })).rejects.toThrow('There is no file b.txt.');
  expect([await disk('a.txt'), editor.asked]).toEqual(['two', ['write a.txt', 'write a.txt']]);
});

test('the refusal of an editor to read is quoted', async () => {
  const at = await open(refusing('fs/read_text_file'));
  await writeFile(at('a.txt'), 'one');
  await expect(fixture.use('read', { path: 'a.txt' })).rejects.toThrow(
    'The client could not read a.txt: the file is locked.',
  );
});

test('the refusal of an editor to write is quoted, and nothing is written', async () => {
  const at = await open(refusing('fs/write_text_file'));
  await writeFile(at('a.txt'), 'one');
  await fixture.use('read', { path: 'a.txt' });
  await expect(fixture.use('edit', oneToTwo)).rejects.toThrow('The client could not write a.txt: the file is locked.');
  expect(await disk('a.txt')).toBe('one');
});

test('an editor that never answers is given a timeout', async () => {
  const at = await open();
  const files = new SessionFiles({ reading: 20, writing: 20 });
  const path = { real: at('a.txt'), shown: 'a.txt' };
  const silent = { readTextFile: () => new Promise<string>(() => undefined) };
  await expect(files.read(path, silent)).rejects.toThrow(
    'The client could not read a.txt: it did not answer within 0.02 seconds.',
  );
  const deaf = { writeTextFile: () => new Promise<void>(() => undefined) };
  await expect(files.replace(path, { expected: undefined, text: 'one' }, deaf)).rejects.toThrow(
    'The client could not write a.txt: it did not answer within 0.02 seconds. Read the file to see what it holds.',
  );
});

test('a file that vanished since the read can be written, not edited', async () => {
  const at = await open();
  await writeFile(at('a.txt'), 'one');
  await fixture.use('read', { path: 'a.txt' });
  await rm(at('a.txt'));
  await expect(fixture.use('edit', oneToTwo)).rejects.toThrow('There is no file a.txt.');
  await fixture.use('write', { path: 'a.txt', content: 'two' });
  expect(await disk('a.txt')).toBe('two');
});

test('a turn that waits for an editor can be cancelled', async () => {
  const at = await open();
  await writeFile(at('a.txt'), 'one');
  const [here, there] = memoryPair();
  const model = new ScriptedModel([calls('read', { path: 'a.txt' }), finishes('tool-calls')]);
  await using _agent = serveCoder({ model, transport: there });
  const client = connectClient(here, {
    'session/update': () => undefined,
    'fs/read_text_file': ({ sessionId }) => {
      void client.notify('session/cancel', { sessionId });
      return new Promise(() => undefined);
    },
  });
  await client.request('initialize', { protocolVersion, clientCapabilities: { fs: { readTextFile: true } } });
  const { sessionId } = await client.request('session/new', { cwd: fixture.folder, mcpServers: [] });
  const answer = await client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
  expect(answer.stopReason).toBe('cancelled');
});
