import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { within } from '../pace.ts';
import { prepare } from '../prepare.mjs';
import { publishablePackages } from '../publishable.mjs';
import { root, tool } from '../run.mjs';

const run = promisify(execFile);
const packages = publishablePackages();
const entries = packages.flatMap(({ manifest }) =>
  Object.entries((manifest['exports'] as object | undefined) ?? {}).map(([path, target]) => ({
    entry: `${manifest['name'] as string}${path.slice(1)}`,
    // An entry with only a path is a program, not a module.
    isProgram: typeof target === 'string',
  })),
);

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** An empty folder in which the packed packages are installed, as on another machine. */
let elsewhere: string;
let packed: readonly Packed[];
/** A folder in it, in which only the command is installed. */
let alone: string;

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
  await npm([...install, ...tarballs], elsewhere);
  alone = join(elsewhere, 'alone');
  mkdirSync(alone);
  writeFileSync(join(alone, 'package.json'), '{"private":true}');
  await npm([...install, `../tarballs/${command()?.filename ?? ''}`], alone);
}, within(150_000));

const install = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
const command = (): Packed | undefined => packed.find(({ name }) => name === 'turnwire');

afterAll(() => {
  rmSync(elsewhere, { recursive: true, force: true });
});

/** Runs npm as a user would, without the environment variables of an npm that runs this test. */
async function npm(parameters: readonly string[], cwd: string): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|cache|userconfig))/i.test(name)),
  );
  return (await run('npm', parameters, { cwd, env })).stdout;
}

/** Runs the installed command. */
async function turnwire(words: readonly string[], cwd: string): Promise<string> {
  const running = run(join(cwd, 'node_modules/.bin/turnwire'), words, { cwd });
  // Without this it waits for input.
  running.child.stdin?.end();
  return (await running).stdout;
}

test.each(packages.map(({ manifest }) => manifest['name'] as string))(
  '%s is packed with what runs, a README and the license, without tests and notes of the build',
  (name) => {
    const paths = packed.find((each) => each.name === name)?.files.map(({ path }) => path) ?? [];
    const strangers = paths.filter(
      (path) =>
        !/^((dist|src|bin)\/.+\.(js|ts|map)|(dist\/)?assets\/.+\.mjs|((bin|dist|dist\/page)\/)?package\.json|README\.md|LICENSE)$/.test(
          path,
        ) &&
        !/^dist\/(third-party-licenses\.txt|sbom\.cdx\.json)$/.test(path) &&
        !/^dist\/page\/(assets\/[\w.-]+\.(js|css)|[\w-]+\.(html|svg|png|js|webmanifest))$/.test(path) &&
        !/^(dist\/)?assets\/report\.css$/.test(path) &&
        !/^(dist|src)\/(agent|audit|client|requirements)\/[\w/-]+\.json$/.test(path),
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

/** The exports of each entry, or the error of its import. */
let exported: Readonly<Record<string, readonly string[] | string>>;

/** It only says that it is absent, and what to use. */
const absentEntry = '@turnwire/sdk-compat/experimental/nes';
const modules = entries.filter(({ entry, isProgram }) => !isProgram && entry !== absentEntry);

beforeAll(async () => {
  const program = `
    const seen = {};
    for (const { entry } of ${JSON.stringify(modules)})
      seen[entry] = await import(entry).then(Object.keys, String);
    console.log(JSON.stringify(seen));`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: elsewhere });
  if (stderr !== '') throw new Error(`importing prints: ${stderr}`);
  exported = JSON.parse(stdout) as typeof exported;
});

test.each(modules)('$entry can be imported from the installed package', ({ entry }) => {
  expect(exported[entry]).toEqual(expect.arrayContaining([expect.any(String)]));
});

test('an entry that is absent says what to use when it is imported from the installed package', async () => {
  await expect(
    run(process.execPath, ['--input-type=module', '-e', `await import('${absentEntry}')`], { cwd: elsewhere }),
  ).rejects.toThrow('use the official package');
});

test.each(entries.filter(({ isProgram }) => isProgram))(
  '$entry is a program where it was installed',
  async ({ entry }) => {
    const program = `console.log(require.resolve('${entry}'))`;
    const { stdout: path } = await run(process.execPath, ['-e', program], { cwd: elsewhere });
    expect(await run(process.execPath, ['--check', path.trim()])).toEqual({ stdout: '', stderr: '' });
  },
);

/** Module settings in a user's `tsconfig.json`. TypeScript 7 removed `node10`. */
const resolutions = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'esnext', moduleResolution: 'bundler' },
];

test.each(resolutions)(
  'the examples compile where it was installed, with $moduleResolution resolution',
  async (resolution) => {
    const project = join(elsewhere, `examples-${resolution.moduleResolution}`);
    const examples = readdirSync(join(root, 'examples')).filter((name) => /^(\d\d-.+|snippets)\.ts$/.test(name));
    mkdirSync(project);
    for (const name of examples) copyFileSync(join(root, 'examples', name), join(project, name));
    const compilerOptions = { ...resolution, target: 'es2022', lib: ['es2022'], strict: true, noEmit: true };
    const typeRoots = [join(root, 'node_modules/@types')];
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, types: ['node'], typeRoots } }),
    );
    const compiled = run(process.execPath, [join(root, tool.tsc), '-p', project]);
    expect([
      examples.length > 4,
      await compiled.then(
        () => '',
        (error: unknown) => (error as { stdout: string }).stdout,
      ),
    ]).toEqual([true, '']);
  },
);

test('an example runs with the installed packages', async () => {
  copyFileSync(join(root, 'examples/04-raw-peer.ts'), join(elsewhere, 'raw-peer.mts'));
  const { stdout } = await run(
    process.execPath,
    ['--import', join(root, 'node_modules/tsx/dist/loader.mjs'), 'raw-peer.mts'],
    { cwd: elsewhere },
  );
  expect(stdout).toContain('update {');
});

test('npx turnwire --version prints the installed version', async () => {
  const version = packages.find(({ manifest }) => manifest['name'] === 'turnwire')?.manifest['version'] as string;
  expect((await npm(['exec', '--no', '--', 'turnwire', '--version'], elsewhere)).trim()).toContain(version);
});

test('the installed turnwire runs a turn with the built-in agent', async () => {
  writeFileSync(join(elsewhere, 'notes.txt'), 'alpha\n');
  expect(await turnwire(['exec', 'read notes.txt'], elsewhere)).toContain('alpha');
});

/** The packages in a `node_modules`, by their names. */
function installedIn(folder: string): readonly string[] {
  const names = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  const scoped = (scope: string): readonly string[] => readdirSync(join(folder, 'node_modules', scope));
  return names.flatMap((name) => (name.startsWith('@') ? scoped(name).map((each) => `${name}/${each}`) : [name]));
}

interface Bill {
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly scope: string;
    readonly licenses: readonly [{ readonly expression?: string; readonly license?: { readonly id: string } }];
    readonly properties: readonly [{ readonly value: 'bundled' | 'installed' }];
    readonly hashes?: readonly [{ readonly alg: string; readonly content: string }];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

function billOf(path: string): Bill {
  return JSON.parse(readFileSync(join(path, 'dist/sbom.cdx.json'), 'utf8')) as Bill;
}

test('the command installs only ripgrep and an engine for stores, and works', async () => {
  const files = readdirSync(join(alone, 'node_modules'), { recursive: true, withFileTypes: true });
  const bytes = files
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  writeFileSync(join(alone, 'notes.txt'), 'alpha\n');
  expect({
    packages: installedIn(alone).map((name) => name.replace(/(?<=ripgrep-).*/, '…')),
    // 29 MB are the engine: it contains its program for every system, and its sources.
    isSmall: files.length < 600 && bytes < 45 * 1024 * 1024,
    said: await turnwire(['exec', 'search for alpha'], alone),
    listed: (await turnwire(['check', '--list'], alone)).length > 1000,
  }).toEqual({
    packages: [
      '@photostructure/sqlite',
      '@vscode/ripgrep',
      '@vscode/ripgrep-…',
      'node-addon-api',
      'node-gyp-build',
      'turnwire',
    ],
    isSmall: true,
    said: expect.stringContaining('notes.txt:1: alpha') as unknown,
    listed: true,
  });
});

test('an installed store finds its engine and its thread', async () => {
  const program = `
    import { sqliteStore } from '@turnwire/runtime';
    const store = sqliteStore({ path: process.cwd() + '/store/sessions.sqlite' });
    console.log(JSON.stringify(await store.list({ tenant: 'ada', limit: 1 })));
    await store.close();`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: elsewhere });
  expect({ stdout, stderr }).toEqual({ stdout: '{"sessions":[]}\n', stderr: '' });
});

test('no package installs modules for tests or for rare features', () => {
  const unwanted = installedIn(elsewhere).filter((name) =>
    /fast-check|pure-rand|node-pty|provider-utils|esbuild/.test(name),
  );
  expect(unwanted).toEqual([]);
});

test('checking a client with a terminal prints which package it needs', async () => {
  const program = `
    import { commandClient } from '@turnwire/conformance';
    const steps = { steps: [['true']], terminal: [] };
    const client = commandClient({ name: 'typed', actions: { prompt: steps } });
    const order = { action: 'prompt', values: {}, home: process.cwd(), attach: () => undefined };
    await client.start(order).catch((error) => console.log(error.message));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: elsewhere });
  expect(stdout).toBe(
    'This step needs a terminal, and so the package @lydell/node-pty@1.1.0. ' +
      'Install it next to turnwire: npm install @lydell/node-pty@1.1.0\n',
  );
});

test('a bundled package lists each package in its bundle once, with the locked version', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity?: string }>;
  };
  const locked = new Set(
    Object.entries(lock.packages).map(([path, { version, integrity = '' }]) => {
      const digest = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
      return `${path.replace(/.*node_modules\//, '')}@${version} ${digest}`;
    }),
  );
  const { components, dependencies } = billOf(join(alone, 'node_modules/turnwire'));
  const others = components.filter(({ name }) => !name.startsWith('@turnwire/'));
  const refs = new Set(components.map(({ name, version }) => `${name}@${version}`));
  expect({
    notLocked: others.filter(
      ({ name, version, hashes }) => !locked.has(`${name}@${version} ${hashes?.[0].content ?? ''}`),
    ),
    twice: components.map(({ name }) => name).filter((name, index, all) => all.indexOf(name) !== index),
    unknown: dependencies.flatMap(({ dependsOn }) => dependsOn.filter((ref) => !refs.has(ref))),
    licences: [
      ...new Set(others.map(({ licenses: [each] }) => each.expression ?? each.license?.id ?? 'none')),
    ].toSorted(),
    hasParser: components.some(({ purl }) => purl.startsWith('pkg:npm/unbash@')),
    installed: others.filter(({ name }) => name.startsWith('@vscode/')).length > 1,
  }).toEqual({
    notLocked: [],
    twice: [],
    unknown: [],
    licences: ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'],
    hasParser: true,
    installed: true,
  });
});

test.each(['turnwire', '@turnwire/coder'])('%s contains the licences of its bundled packages', (name) => {
  const path = join(elsewhere, 'node_modules', name);
  const text = readFileSync(join(path, 'dist/third-party-licenses.txt'), 'utf8');
  const bundled = billOf(path).components.filter(
    (each) => each.properties[0].value === 'bundled' && !each.name.startsWith('@turnwire/'),
  );
  const missing = bundled.filter(({ name: each, version }) => !text.includes(`\n${each} ${version} (`));
  expect({ isMany: bundled.length > 20, missing: missing.map((each) => each.name) }).toEqual({
    isMany: true,
    missing: [],
  });
});

test('a package imports only its dependencies, also in its types', () => {
  const missing = packages.flatMap(({ manifest }) => {
    const name = manifest['name'] as string;
    const path = join(elsewhere, 'node_modules', name);
    const { dependencies, optionalDependencies, peerDependencies } = manifest as Record<string, object | undefined>;
    const declared = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    const known = new Set([name, ...Object.keys(declared)]);
    const used = reachable(path, manifest).flatMap((file) => importsOf(file).filter((each) => !each.startsWith('.')));
    const strangers = used
      .map((each) => /^(?:@[^/]+\/)?[^/]+/.exec(each)?.[0] ?? each)
      .filter((each) => !known.has(each));
    return [...new Set(strangers)].map((each) => `${name} imports ${each}`);
  });
  expect(missing).toEqual([]);
});

/** The code of a package, and the type declarations of its exports. */
function reachable(path: string, { exports = {} }: Record<string, unknown>): readonly string[] {
  const code = readdirSync(join(path, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  const found = new Set(code.map((file) => join(path, 'dist', file)));
  const follow = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    for (const each of importsOf(file))
      if (each.startsWith('.')) follow(join(file, '..', each.replace(/\.[jt]s$/, '.d.ts')));
  };
  for (const entry of Object.values(exports as object) as readonly (string | { types: string })[])
    if (typeof entry !== 'string') follow(join(path, entry.types));
  return [...found];
}

function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
  const found = text.matchAll(
    /(?:^|[\s;])(?:import|export)\s[^'"`;]*?from\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm,
  );
  const names = [...found].map(([, from, dynamic]) => from ?? dynamic ?? '');
  return names.filter((each) => !each.startsWith('node:') && !isBuiltin(each));
}
