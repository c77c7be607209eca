import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root, tool } from '../run.mjs';

/** A repository with our lint rules, in which every file breaks one rule. The name of the file says which. */
let house: string;

interface Finding {
  readonly filename: string;
  readonly code: string;
  readonly labels: readonly [{ readonly span: { readonly line: number } }];
}

const lineOf = ({ labels: [{ span }] }: Finding): number => span.line;

let findings: readonly Finding[];

const layers = `import { readFile } from 'node:fs/promises';
import { a } from '@turnwire/protocol';
import { b } from '@turnwire/transports/memory';
import { c } from '@turnwire/client';
import { d } from '@turnwire/agent/deep';
import { e } from '@turnwire/coder';
import { f } from '@turnwire/tools';
import { g } from 'turnwire';
import { h } from '../../other/src/index.ts';
import { i } from 'zod';
import { j } from '@turnwire/machine';
import { k } from '@turnwire/permissions';
import { l } from '@turnwire/trace';
import { m } from '@turnwire/gateway';
import { n } from '@turnwire/cluster';
import { o } from '@turnwire/runtime';
export const all: unknown = [readFile, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o];
`;

/** Ways to print without the file that removes control characters. */
const printing = `import { writeSync } from 'node:fs';
import { stderr } from 'node:process';
import { WriteStream } from 'node:tty';
process.stdout.write('a');
const { stderr: other } = process;
console.log('c');
export const all: unknown = [writeSync, stderr, other, WriteStream];
`;

const lines = (count: number, line: string): string => `${line}\n`.repeat(count);

/** One file per rule, which must be reported for it. */
const offences: Readonly<Record<string, string>> = {
  'eslint(max-lines)': lines(401, 'export {};'),
  'eslint(max-lines-per-function)': `export function long(): void {\n${lines(61, '  Math.random();')}}\n`,
  'eslint(max-params)':
    'export function four(a: number, b: number, c: number, d: number): number {\n  return a + b + c + d;\n}\n',
  'eslint(max-depth)':
    'export function deep(a: boolean): void {\n  if (a) { if (a) { if (a) { if (a) throw a; } } }\n}\n',
  'eslint(complexity)': `export function twisted(a: number): number {\n${lines(12, '  if (a) return a;')}  return a;\n}\n`,
  'eslint(eqeqeq)': 'export const same = (a: number, b: number): boolean => a == b;\n',
  'eslint(no-console)': 'console.log(1);\n',
  'eslint(no-warning-comments)': `// ${'TO'}${'DO'}: later\nexport {};\n`,
  'import(no-default-export)': 'export default 1;\n',
  'typescript(consistent-type-imports)': "import { Stats } from 'node:fs';\nexport type Size = Stats;\n",
  'typescript(no-explicit-any)': 'export const loose: any = 1;\n',
  'typescript(no-non-null-assertion)': 'export const sure = (a: string | undefined): string => a!;\n',
  'typescript(no-floating-promises)': 'export const lost = (): void => {\n  Promise.resolve();\n};\n',
  'typescript(no-misused-promises)': '[1].forEach(async () => {});\n',
  'typescript(switch-exhaustiveness-check)':
    "export function half(a: 'x' | 'y'): void {\n  switch (a) {\n    case 'x':\n      throw new Error(a);\n  }\n}\n",
  'unicorn(prefer-node-protocol)': "export { readFile } from 'fs';\n",
};

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'turnwire-lint-'));
  for (const file of ['.oxlintrc.json', 'tsconfig.base.json']) cpSync(join(root, file), join(house, file));
  symlinkSync(join(root, 'node_modules'), join(house, 'node_modules'));
  for (const folder of [
    'packages/protocol',
    'packages/machine',
    'packages/transports',
    'packages/client',
    'packages/permissions',
    'packages/trace',
    'packages/agent',
    'packages/runtime',
    'packages/gateway',
    'packages/cluster',
    'conformance',
    'apps/coder',
    'apps/cli',
  ]) {
    write(`${folder}/tsconfig.json`, `{ "extends": "${root}/tsconfig.base.json", "include": ["src"] }`);
    write(`${folder}/src/layers.ts`, layers);
    write(`${folder}/src/node/layers.ts`, layers);
  }
  write('apps/cli/src/commands/coder.ts', "export const coder = (): Promise<unknown> => import('@turnwire/coder');\n");
  write('apps/cli/src/commands/chat.ts', "export const coder = (): Promise<unknown> => import('@turnwire/coder');\n");
  for (const file of ['apps/cli/src/printing.ts', 'apps/cli/src/terminal/output.ts', 'apps/coder/src/loop/printing.ts'])
    write(file, printing);
  for (const [code, text] of Object.entries(offences)) write(`packages/client/src/${fileOf(code)}`, text);
  write('packages/client/src/BadName.ts', 'export {};\n');
  write('packages/client/src/egg.ts', "export { hen } from './hen.ts';\n");
  write('packages/client/src/hen.ts', "import './egg.ts';\nexport const hen = 1;\n");
  write(
    'packages/client/test/sample.test.ts',
    "import { test, vi } from 'vitest';\nvi.mock('x');\ntest.only('y', () => {});\n",
  );
  findings = lint();
});

afterAll(() => {
  rmSync(house, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(house, path)), { recursive: true });
  writeFileSync(join(house, path), text);
}

const fileOf = (code: string): string => `${code.replace(/^.*\((.*)\)$/, '$1')}.ts`;

function lint(): readonly Finding[] {
  try {
    execFileSync(process.execPath, [join(root, tool.oxlint), '-f', 'json', 'packages', 'apps', 'conformance'], {
      cwd: house,
      stdio: 'pipe',
    });
  } catch (error) {
    const { stdout } = error as { stdout: Buffer };
    return (JSON.parse(stdout.toString()) as { diagnostics: Finding[] }).diagnostics;
  }
  return [];
}

/** The names a layer may not import, in the order of the file's lines. */
function refused(layer: string): readonly string[] {
  const source = layers.split('\n');
  const [folder, part] = layer.split(/(\/node)$/);
  return findings
    .filter(
      ({ filename, code }) =>
        filename === `${folder}/src${part ?? ''}/layers.ts` && code === 'eslint(no-restricted-imports)',
    )
    .map((finding) => /'(.*)'/.exec(source[lineOf(finding) - 1] ?? '')?.[1] ?? '')
    .toSorted();
}

const outside = ['../../other/src/index.ts', '@turnwire/tools', 'turnwire'];
const aboveLibraries = [...outside, '@turnwire/cluster', '@turnwire/gateway', '@turnwire/runtime'];

describe('imports between layers', () => {
  test.each([
    [
      'packages/protocol',
      [
        ...aboveLibraries,
        '@turnwire/agent/deep',
        '@turnwire/client',
        '@turnwire/coder',
        '@turnwire/machine',
        '@turnwire/permissions',
        '@turnwire/protocol',
        '@turnwire/trace',
        '@turnwire/transports/memory',
        'node:fs/promises',
        'zod',
      ],
    ],
    [
      'packages/machine',
      [
        ...aboveLibraries,
        '@turnwire/agent/deep',
        '@turnwire/client',
        '@turnwire/coder',
        '@turnwire/machine',
        '@turnwire/permissions',
        '@turnwire/protocol',
        '@turnwire/trace',
        '@turnwire/transports/memory',
      ],
    ],
    [
      'packages/transports',
      [
        ...aboveLibraries,
        '@turnwire/agent/deep',
        '@turnwire/client',
        '@turnwire/coder',
        '@turnwire/machine',
        '@turnwire/permissions',
        '@turnwire/trace',
        '@turnwire/transports/memory',
      ],
    ],
    [
      'packages/permissions',
      [
        ...aboveLibraries,
        '@turnwire/agent/deep',
        '@turnwire/client',
        '@turnwire/coder',
        '@turnwire/permissions',
        '@turnwire/trace',
        '@turnwire/transports/memory',
      ],
    ],
    [
      'packages/trace',
      [
        ...aboveLibraries,
        '@turnwire/agent/deep',
        '@turnwire/client',
        '@turnwire/coder',
        '@turnwire/machine',
        '@turnwire/permissions',
        '@turnwire/trace',
        'node:fs/promises',
      ],
    ],
    [
      'packages/trace/node',
      [
        ...aboveLibraries,
        '@turnwire/agent/deep',
        '@turnwire/client',
        '@turnwire/coder',
        '@turnwire/permissions',
        '@turnwire/trace',
        '@turnwire/transports/memory',
      ],
    ],
    [
      'conformance',
      [...aboveLibraries, '@turnwire/agent/deep', '@turnwire/client', '@turnwire/coder', '@turnwire/permissions'],
    ],
    [
      'packages/client',
      [
        ...aboveLibraries,
        '@turnwire/agent/deep',
        '@turnwire/client',
        '@turnwire/coder',
        '@turnwire/machine',
        '@turnwire/permissions',
        '@turnwire/trace',
        '@turnwire/transports/memory',
        'node:fs/promises',
      ],
    ],
    [
      'packages/client/node',
      [
        ...aboveLibraries,
        '@turnwire/agent/deep',
        '@turnwire/client',
        '@turnwire/coder',
        '@turnwire/permissions',
        '@turnwire/trace',
      ],
    ],
    [
      'packages/agent',
      [
        ...aboveLibraries,
        '@turnwire/agent/deep',
        '@turnwire/client',
        '@turnwire/coder',
        '@turnwire/machine',
        '@turnwire/permissions',
        '@turnwire/trace',
        '@turnwire/transports/memory',
        'node:fs/promises',
      ],
    ],
    [
      'packages/agent/node',
      [
        ...aboveLibraries,
        '@turnwire/agent/deep',
        '@turnwire/client',
        '@turnwire/coder',
        '@turnwire/permissions',
        '@turnwire/trace',
      ],
    ],
    ['packages/runtime', [...aboveLibraries, '@turnwire/agent/deep', '@turnwire/coder', '@turnwire/transports/memory']],
    [
      'packages/gateway',
      [
        ...outside,
        '@turnwire/agent/deep',
        '@turnwire/cluster',
        '@turnwire/coder',
        '@turnwire/gateway',
        '@turnwire/trace',
      ],
    ],
    [
      'packages/cluster',
      [
        ...outside,
        '@turnwire/agent/deep',
        '@turnwire/client',
        '@turnwire/cluster',
        '@turnwire/coder',
        '@turnwire/permissions',
        '@turnwire/trace',
      ],
    ],
    ['apps/coder', [...aboveLibraries, '@turnwire/client', '@turnwire/coder', '@turnwire/trace']],
    ['apps/cli', [...outside, '@turnwire/agent/deep', '@turnwire/coder']],
  ])('%s may import nothing but what is below it', (layer, expected) => {
    expect(refused(layer)).toEqual(expected.toSorted());
  });
});

test('only the command that serves the coder may import it', () => {
  const refusals = findings.filter(
    ({ filename, code }) => filename.startsWith('apps/cli/src/commands') && code.includes('restricted'),
  );
  expect(refusals.map(({ filename }) => filename)).toEqual(['apps/cli/src/commands/chat.ts']);
});

test('only the file that removes control characters may print', () => {
  const source = printing.split('\n');
  const found = (file: string): readonly string[] =>
    findings
      .filter(({ filename, code }) => filename === file && /restricted|console/.test(code))
      .map((each) => source[lineOf(each) - 1] ?? '')
      .toSorted((one, other) => source.indexOf(one) - source.indexOf(other));
  expect({
    command: found('apps/cli/src/printing.ts'),
    door: found('apps/cli/src/terminal/output.ts'),
    coder: found('apps/coder/src/loop/printing.ts'),
  }).toEqual({
    command: source.slice(0, 6),
    door: ["console.log('c');"],
    coder: source.slice(3, 6),
  });
});

describe('each house rule reports an offence', () => {
  test.each(Object.keys(offences))('%s', (code) => {
    const codes = findings
      .filter(({ filename }) => filename === `packages/client/src/${fileOf(code)}`)
      .map((each) => each.code);
    expect(codes).toContain(code);
  });

  test.each([
    ['packages/client/src/BadName.ts', 'unicorn(filename-case)'],
    ['packages/client/src/egg.ts', 'import(no-cycle)'],
    ['packages/client/test/sample.test.ts', 'vitest(no-focused-tests)'],
    ['packages/client/test/sample.test.ts', 'vitest(no-restricted-vi-methods)'],
  ])('%s is reported for %s', (file, code) => {
    expect(findings.filter(({ filename }) => filename === file).map((each) => each.code)).toContain(code);
  });
});
