import { v1Unstable } from '@turnwire/protocol/unstable';
import { v2Unstable } from '@turnwire/protocol/v2/unstable';
import { expect, test } from 'vitest';
import { PlaceError } from '../../src/places/index.ts';
import { PlacePrefix } from '../../src/places/prefix/agent-place.ts';
import { mappedPatch } from '../../src/places/prefix/mapped-patch.ts';
import { MappedMessages } from '../../src/places/prefix/mapped-transport.ts';
import { PathMapping } from '../../src/places/prefix/path-mapping.ts';

const mapping = new PathMapping([
  { here: '/home/me/project', there: '/code' },
  { here: '/home/me/project/cache', there: '/cache' },
]);
const here = (path: string): string => (path.startsWith('/code') ? `/home/me/project${path.slice(5)}` : path);

test.each([
  ['/home/me/project', '/code'],
  ['/home/me/project/a b/ü.ts', '/code/a b/ü.ts'],
  ['/home/me/project/cache/x', '/cache/x'],
  ['/home/me/project-2', undefined],
  ['/home/me/project/../other', undefined],
  ['/home/me/project/src/../a', '/code/a'],
  ['relative/path', undefined],
])('%s is %s where the agent runs', (path, there) => {
  expect([mapping.there(path), there && mapping.here(there)]).toEqual([there, there && path.replace('src/../', '')]);
});

test.each([
  ['file:///code/a%20b/%C3%BC.ts#L3', 'file:///home/me/project/a%20b/%C3%BC.ts#L3'],
  ['FILE:///code', 'file:///home/me/project'],
  ['file:///code/100%25', 'file:///home/me/project/100%25'],
  ['file://server/code/a', 'file://server/code/a'],
  ['file:///elsewhere/a', 'file:///elsewhere/a'],
  ['https://example.test/code/a', 'https://example.test/code/a'],
  ['file:///code/%FF', 'file:///code/%FF'],
  ['not a uri', 'not a uri'],
])('the uri %s of the agent is %s here', (uri, translated) => {
  expect(mapping.text(uri, 'uri', 'here')).toBe(translated);
});

test('the headers of a patch are translated, and lines of its hunks that look like headers are not', () => {
  const patch = [
    'diff --git /code/a b.ts /code/a b.ts',
    '--- /code/a b.ts\t',
    '+++ /code/a b.ts\t',
    '@@ -1,2 +1,2 @@',
    '--- /code/removed',
    '+++ /code/added',
    ' diff --git /code/same /code/same',
    'diff --git /code/old /code/new',
    'similarity index 90%',
    'rename from /code/old',
    'rename to /code/new',
    'diff --git "/code/\\303\\274\\"\\t" "/code/\\303\\274\\"\\t"',
    'deleted file mode 100644',
    '--- "/code/\\303\\274\\"\\t"',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-/code',
    '\\ No newline at end of file',
    '',
  ];
  expect(mappedPatch(patch.join('\n'), here).split('\n')).toEqual([
    'diff --git /home/me/project/a b.ts /home/me/project/a b.ts',
    '--- /home/me/project/a b.ts\t',
    '+++ /home/me/project/a b.ts\t',
    ...patch.slice(3, 7),
    'diff --git /home/me/project/old /home/me/project/new',
    'similarity index 90%',
    'rename from /home/me/project/old',
    'rename to /home/me/project/new',
    'diff --git "/home/me/project/ü\\"\\t" "/home/me/project/ü\\"\\t"',
    'deleted file mode 100644',
    '--- "/home/me/project/ü\\"\\t"',
    '+++ /dev/null',
    ...patch.slice(15),
  ]);
});

test('invalid text and messages without a path pass unchanged', () => {
  const messages = new MappedMessages(mapping, { 1: v1Unstable, 2: v2Unstable });
  const frames = [
    'not JSON',
    '[]',
    'null',
    '{ "method":"session/cancel","params":{"sessionId":"/code/a"} }',
    '{"id":9,"result":{}}',
  ];
  expect(frames.map((frame) => messages.frame(frame, 'here'))).toEqual(frames);
});

test('a prompt that steers a turn is translated like any other', () => {
  const params = { sessionId: 's', prompt: [{ type: 'resource_link', name: 'a', uri: 'file:///home/me/project/a' }] };
  const sent = new MappedMessages(mapping, { 1: v1Unstable, 2: v2Unstable }).frame(
    JSON.stringify({ id: 1, method: '_session/steering', params }),
    'there',
  );
  expect(sent).toContain('file:///code/a');
});

test('a prefix takes words, and one that is a remote shell takes a quoted line', () => {
  const words = ['agent', '--name', "it's"];
  const around = (prefix: string, takes?: 'words' | 'line'): readonly string[] =>
    new PlacePrefix({ prefix, ...(takes && { takes }) }, '/home/me/my project').around(words);
  expect([
    around("podman run -v '${cwd}:/code' image --"),
    around('ssh box'),
    around('/usr/bin/ssh -p 22 box', 'words'),
    around('wrapper', 'line'),
  ]).toEqual([
    ['podman', 'run', '-v', '/home/me/my project:/code', 'image', '--', ...words],
    ['ssh', 'box', "agent --name 'it'\\''s'"],
    ['/usr/bin/ssh', '-p', '22', 'box', ...words],
    ['wrapper', "agent --name 'it'\\''s'"],
  ]);
});

test('a prefix with a relative path is refused', () => {
  expect(() => new PlacePrefix({ prefix: 'box', paths: { '.': '/code' } }, '/home/me')).toThrow(PlaceError);
});

test('a line of a hunk that ends with CR LF stays as it is, also if it looks like a header', () => {
  const hunk = ['@@ -1,3 +1,2 @@', ' one\r', ' two\r', '--- /code/q\r', ''];
  const patch = (folder: string): string => [`--- ${folder}/a`, `+++ ${folder}/a`, ...hunk].join('\n');
  expect(mappedPatch(patch('/code'), here)).toBe(patch('/home/me/project'));
});

test('a folder with dollar signs in its name is the folder of a prefix', () => {
  const prefix = new PlacePrefix({ prefix: ['run', '${cwd}'], paths: { '${cwd}': '/code' } }, '/home/a$$b$&');
  expect([prefix.around(['agent']), prefix.mapping.there('/home/a$$b$&/x')]).toEqual([
    ['run', '/home/a$$b$&', 'agent'],
    '/code/x',
  ]);
});
