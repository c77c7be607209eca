import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepare } from '../prepare.mjs';
import { publishablePackages } from '../publishable.mjs';
import { root } from '../run.mjs';

const run = promisify(execFile);
const packages = publishablePackages();
const entries = packages.flatMap(({ manifest }) =>
  Object.entries((manifest['exports'] as object | undefined) ?? {}).map(([path, target]) => ({
    entry: `${manifest['name'] as string}${path.slice(1)}`,
    // What is no module but a program that others are to start has a place and nothing else.
    isProgram: typeof target === 'string',
  })),
);

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** An empty folder into which the packed packages are installed, as somebody elsewhere would. */
let elsewhere: string;
let packed: readonly Packed[];

beforeAll(async () => {
  await prepare();
  elsewhere = mkdtempSync(join(tmpdir(), 'turnwire-elsewhere-'));
  mkdirSync(join(elsewhere, 'tarballs'));
  writeFileSync(join(elsewhere, 'package.json'), '{"private":true}');
  packed = JSON.parse(
    await npm(
      ['pack', '--json', '--pack-destination', join(elsewhere, 'tarballs'), ...packages.map(({ folder }) => folder)],
      root,
    ),
  );
  const tarballs = packed.map(({ filename }) => `./tarballs/${filename}`);
  await npm(['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs], elsewhere);
}, 300_000);

afterAll(() => {
  rmSync(elsewhere, { recursive: true, force: true });
});

/** Runs npm as a person would, without what an npm around us left in the environment. */
async function npm(parameters: readonly string[], cwd: string): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|cache|userconfig))/i.test(name)),
  );
  return (await run('npm', parameters, { cwd, env })).stdout;
}

test.each(packages.map(({ manifest }) => manifest['name'] as string))(
  '%s is packed with what runs, a README and the license, without tests and notes of the build',
  (name) => {
    const paths = packed.find((each) => each.name === name)?.files.map(({ path }) => path) ?? [];
    const strangers = paths.filter(
      (path) => !/^((dist|src|bin)\/.+\.(js|ts|map)|assets\/.+\.mjs|package\.json|README\.md|LICENSE)$/.test(path),
    );
    expect({
      strangers,
      readme: paths.includes('README.md'),
      license: paths.includes('LICENSE'),
      code: paths.some((path) => path.startsWith('dist/')),
    }).toEqual({
      strangers: [],
      readme: true,
      license: true,
      code: true,
    });
  },
);

test.each(entries.filter(({ isProgram }) => !isProgram))(
  '$entry can be imported where it was installed',
  async ({ entry }) => {
    const program = `const names = Object.keys(await import('${entry}')); if (names.length === 0) throw new Error('empty')`;
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: elsewhere });
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  },
);

test.each(entries.filter(({ isProgram }) => isProgram))(
  '$entry is a program where it was installed',
  async ({ entry }) => {
    const program = `console.log(require.resolve('${entry}'))`;
    const { stdout: path } = await run(process.execPath, ['-e', program], { cwd: elsewhere });
    expect(await run(process.execPath, ['--check', path.trim()])).toEqual({ stdout: '', stderr: '' });
  },
);

test('npx turnwire --version says which version was installed', async () => {
  const version = packages.find(({ manifest }) => manifest['name'] === 'turnwire')?.manifest['version'] as string;
  expect((await npm(['exec', '--no', '--', 'turnwire', '--version'], elsewhere)).trim()).toContain(version);
});

test('npx turnwire does a turn with the built-in agent where it was installed', async () => {
  writeFileSync(join(elsewhere, 'notes.txt'), 'alpha\n');
  const said = await npm(['exec', '--no', '--', 'turnwire', 'exec', 'read notes.txt'], elsewhere);
  expect(said).toContain('alpha');
});
