import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';

/** An entry of a random tree. */
type RandomEntry =
  | { readonly kind: 'file'; readonly content: Buffer; readonly isExecutable: boolean }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder' }
  /** A repository in the tree. */
  | { readonly kind: 'repository' };

/** Entries by their paths. No path is below a file or a link. */
export type RandomTree = Readonly<Record<string, RandomEntry>>;

/** Paths that replace each other: a file by a folder, a folder by a link. */
const plain = ['a', 'a/b', 'a/b/c', 'b', 'dir/a', 'dir/b', 'dir/deep/c', 'dir/deep/d'];
const strange = [
  'with space',
  'ends with space ',
  'über.txt',
  '日本/語',
  'tab\tname',
  'new\nline',
  '"quoted"',
  "it's",
  '-dash',
  '*.txt',
  '[x]',
  'back\\slash',
  ':(top)x',
  'dir/$HOME',
  '.hidden',
];
const special = ['.gitignore', '.gitattributes', 'dir/.gitignore', 'out/x', 'x.log', 'dir/y.log'];

const lines = fc.constantFrom(
  'x',
  'y',
  'z',
  '',
  'diff --git a/x b/x',
  '@@ -1 +1 @@',
  '--- a',
  '+++ b',
  '\\ No newline',
  'ü',
);
const ends = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');
const text = fc.array(fc.tuple(lines, ends), { maxLength: 14 }).chain((all) =>
  fc.boolean().map((isCut) => {
    const whole = all.map((line) => line.join('')).join('');
    return Buffer.from(isCut ? whole.replace(/[\r\n]+$/, '') : whole);
  }),
);
const binary = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from([0, ...bytes]));
const bytes = fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each));

const file: fc.Arbitrary<RandomEntry> = fc.record({
  kind: fc.constant('file' as const),
  content: fc.oneof({ weight: 6, arbitrary: text }, { weight: 1, arbitrary: binary }, { weight: 1, arbitrary: bytes }),
  isExecutable: fc.boolean(),
});
const entry: fc.Arbitrary<RandomEntry> = fc.oneof(
  { weight: 8, arbitrary: file },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('link' as const),
      target: fc.constantFrom('a', 'dir', 'missing', '../outside', '.', 'ü b'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'folder' as const }) },
);
const rules = fc
  .constantFrom('out/\n*.log\n', '*.log\n!y.log\n', '* text eol=crlf\n', 'x.log binary\n', '')
  .map((rule): RandomEntry => ({ kind: 'file', content: Buffer.from(rule), isExecutable: false }));

/** A tree of files, links, executables, empty folders, ignored files, strange names and nested repositories. */
export const randomTree: fc.Arbitrary<RandomTree> = fc
  .record({
    entries: fc.dictionary(fc.constantFrom(...plain, ...plain, ...strange), entry, { maxKeys: 9 }),
    special: fc.dictionary(fc.constantFrom(...special), rules, { maxKeys: 4 }),
    hasRepository: fc.integer({ min: 0, max: 9 }).map((each) => each === 0),
  })
  .map(({ entries, special: more, hasRepository }) =>
    withoutConflicts({ ...entries, ...more, ...(hasRepository && { nested: { kind: 'repository' } as const }) }),
  );

/** A tree that has some entries of one and some of another: a later change. */
export function mixed(one: RandomTree, other: RandomTree, isOther: (path: string) => boolean): RandomTree {
  const paths = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const chosen = paths.flatMap((path): readonly (readonly [string, RandomEntry])[] => {
    const found = (isOther(path) ? other : one)[path];
    return found ? [[path, found]] : [];
  });
  return withoutConflicts(Object.fromEntries(chosen));
}

function withoutConflicts(tree: RandomTree): RandomTree {
  const isBlocked = (path: string): boolean =>
    Object.entries(tree).some(([other, { kind }]) => path.startsWith(`${other}/`) && kind !== 'folder');
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !isBlocked(path)));
}

/** Replaces everything in a folder except its own repository. @param repository a `.git` folder to copy */
export async function putTree(folder: string, tree: RandomTree, repository: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name !== '.git') await rm(join(folder, name), { recursive: true, force: true });
  for (const [path, made] of Object.entries(tree)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    if (made.kind === 'folder') await mkdir(target, { recursive: true });
    if (made.kind === 'link') await symlink(made.target, target);
    if (made.kind === 'file') await writeFile(target, made.content, { mode: made.isExecutable ? 0o755 : 0o644 });
    if (made.kind === 'repository') {
      await cp(repository, join(target, '.git'), { recursive: true });
      await writeFile(join(target, 'inside.txt'), 'inside\n');
    }
  }
}
