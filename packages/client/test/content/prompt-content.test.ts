import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mentions } from '../../src/node/content/mentions.ts';
import { promptContent } from '../../src/node/content/prompt-content.ts';

let folder: string;
let cwd: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-prompt-')));
  cwd = join(folder, 'project');
  await mkdir(join(cwd, 'src'), { recursive: true });
  await mkdir(join(folder, 'more'));
  for (const path of ['project/src/a.ts', 'project/a b.txt', 'project/c', 'more/d', 'secret']) {
    await writeFile(join(folder, path), path);
  }
  await symlink('../secret', join(cwd, 'link'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function link(path: string, size = path.length): object {
  return {
    type: 'resource_link',
    uri: pathToFileURL(join(folder, path)).href,
    name: path.split('/').at(-1),
    mimeType: 'text/plain',
    size,
  };
}

test('mentions are found in sentences, quoted if they contain blanks', () => {
  const found = {
    'see @src/a.ts.': ['src/a.ts'],
    '@a, @b; (@c) [@d] `@e` "@f" **@g** @h? @i!': ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'],
    '@"a b.txt" and @"x"y': ['a b.txt', 'x'],
    '@app/(group)/page.tsx (see @f(1))': ['app/(group)/page.tsx', 'f(1)'],
    'me@example.org a.b@c x/@y \\@z @@w': [],
    '@scope/pkg @Override() @node_modules/@types/node': ['scope/pkg', 'Override()', 'node_modules/@types/node'],
    '@../x @./y @. @.. @.env @/abs': ['../x', './y', '.', '..', '.env', '/abs'],
    '@ @" @"" @"a\nb" @.': ['.'],
    'ünder@x für @ä/ö.txt…': ['ä/ö.txt'],
  };
  expect(Object.fromEntries(Object.keys(found).map((text) => [text, mentions(text).map(({ path }) => path)]))).toEqual(
    found,
  );
});

test('a mention has its position', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('@', 'a', ' ', '"', '.', '/', ')', '(', '€'), { maxLength: 20 }), (parts) => {
      const text = parts.join('');
      for (const { path, start, end } of mentions(text)) {
        expect([`@${path}`, `@"${path}"`]).toContain(text.slice(start, end));
      }
    }),
  );
});

test('the text comes first, then attachments, then existing mentioned files, without duplicates', async () => {
  const text = 'Fix @src/a.ts and @"a b.txt" for @nobody, me@c @c @c.';
  expect(await promptContent({ text, attachments: ['c', join(cwd, 'c')] }, {}, { cwd })).toEqual([
    { type: 'text', text },
    link('project/c'),
    link('project/src/a.ts'),
    link('project/a b.txt'),
  ]);
});

test.each([
  '请阅读 @src/a.ts，然后总结',
  '@src/a.ts。',
  '请阅读@src/a.ts并总结',
  '（@src/a.ts）を読んで',
  '@src/a.ts、@src/a.ts',
])('a file is found in a sentence without blanks: %s', async (text) => {
  expect(await promptContent({ text }, {}, { cwd })).toEqual([{ type: 'text', text }, link('project/src/a.ts')]);
});

test('a name with characters of such a script is found whole if the file exists', async () => {
  await writeFile(join(cwd, 'c说明'), 'text');
  const [, found] = await promptContent({ text: '@c说明' }, {}, { cwd });
  expect(found).toEqual(link('project/c说明', 4));
});

test('capabilities and limits apply to all of them together', async () => {
  const uri = pathToFileURL(join(cwd, 'c')).href;
  const resource = { type: 'resource', resource: { uri, text: 'project/c', mimeType: 'text/plain' } };
  expect([
    await promptContent({ text: '@c' }, { embeddedContext: true }, { cwd }),
    await promptContent({ text: '@c' }, { embeddedContext: true }, { cwd, textLimit: 3 }),
    await promptContent({ text: '@c' }, { embeddedContext: true }, { cwd, mentions: false }),
    await promptContent({ text: '@c' }, { embeddedContext: true }),
    await promptContent({ text: '', attachments: ['c'] }, { embeddedContext: true }, { cwd }),
    await promptContent({ text: '' }, null),
  ]).toEqual([
    [{ type: 'text', text: '@c' }, resource],
    [{ type: 'text', text: '@c' }, link('project/c')],
    [{ type: 'text', text: '@c' }],
    [{ type: 'text', text: '@c' }],
    [resource],
    [{ type: 'text', text: '' }],
  ]);
});

test('a mention never exposes an outside file; an attachment may', async () => {
  const outside = `@../secret @${folder}/secret @link @${folder}/more/d`;
  expect([
    await promptContent({ text: outside }, {}, { cwd }),
    await promptContent({ text: outside }, {}, { cwd, additionalDirectories: [join(folder, 'more')] }),
    await promptContent({ text: '', attachments: ['../secret'] }, {}, { cwd }),
  ]).toEqual([[{ type: 'text', text: outside }], [{ type: 'text', text: outside }, link('more/d')], [link('secret')]]);
});

test('an attachment that does not exist is an error', async () => {
  await expect(promptContent({ text: 'x', attachments: ['none'] }, {}, { cwd })).rejects.toMatchObject({
    code: 'invalid-input',
    message: `${cwd}/none cannot be attached: there is no such file. Check its name, and the folder it is relative to.`,
  });
});

test('a mention that looks like a missing file is reported; other words behind an @ are not', async () => {
  const unknown: string[] = [];
  const text =
    '@src/b.ts @src/c @b.md，然后 @src/a.ts @Override @scope/package @user @f(1) @1.2 @"no such.txt" ../secret @link';
  const content = await promptContent({ text }, {}, { cwd, onUnknown: (path) => void unknown.push(path) });
  expect([content, unknown]).toEqual([
    [{ type: 'text', text }, link('project/src/a.ts')],
    ['src/b.ts', 'src/c', 'b.md', 'no such.txt'],
  ]);
});
