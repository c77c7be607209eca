import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../run.mjs';

/** A clone with these files, each with its imports, and the order in its README. */
function clone(files: Readonly<Record<string, readonly string[]>>, order: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnwire-folders-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const named = order.map((name) => `\`${name}\``).join(', ');
  write('packages/one/README.md', `What imports what, each only those after it: ${named}.\n`);
  for (const [path, imports] of Object.entries(files))
    write(`packages/one/src/${path}`, imports.map((each) => `import { a } from '${each}';\n`).join(''));
  return folder;
}

function check(folder: string): { readonly lines: readonly string[]; readonly status: unknown } {
  const { stderr, status } = spawnSync(process.execPath, [join(root, 'tools/folders.mjs'), folder], {
    encoding: 'utf8',
  });
  return {
    lines: stderr
      .split('\n')
      .filter((line) => line !== '')
      .toSorted(),
    status,
  };
}

const circle = {
  'index.ts': ['./wire/frame.ts'],
  'wire/frame.ts': ['../session/session.ts', '../limits.ts'],
  'session/session.ts': ['./turn/turn.ts'],
  'session/turn/turn.ts': ['../../wire/codec.ts', '../../limits.ts'],
  'wire/codec.ts': [],
  'limits.ts': [],
};

const closes = 'closes a circle. Move the code that both need to a third file.';

test('folders that import each other are reported, also by way of inner folders, and files without imports are not', () => {
  expect(check(clone(circle))).toEqual({
    lines: [`packages/one/src: session -> wire ${closes}`, `packages/one/src: wire -> session ${closes}`],
    status: 1,
  });
});

test('a folder that imports one of its importers is reported', () => {
  const upwards = { 'session/session.ts': ['./turn/turn.ts'], 'session/turn/turn.ts': ['../session.ts'] };
  expect(check(clone(upwards))).toEqual({
    lines: [
      `packages/one/src/session: session.ts -> turn ${closes}`,
      `packages/one/src/session: turn -> session.ts ${closes}`,
    ],
    status: 1,
  });
});

test('an import against the order in the README and a name without a folder are reported', () => {
  const files = {
    'turn/turn.ts': ['../session/session.ts', '../limits.ts'],
    'session/session.ts': [],
    'limits.ts': [],
  };
  expect([
    check(clone(files, ['turn', 'session', 'limits'])),
    check(clone(files, ['limits', 'session', 'turn', 'store'])),
  ]).toEqual([
    { lines: [], status: 0 },
    {
      lines: [
        'packages/one/README.md names store, which does not exist.',
        'packages/one/src: turn -> limits.ts is against the order that packages/one/README.md names.',
        'packages/one/src: turn -> session is against the order that packages/one/README.md names.',
      ],
      status: 1,
    },
  ]);
});
