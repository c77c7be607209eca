import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishablePackages } from '../publishable.mjs';
import { root } from '../run.mjs';

const packages = publishablePackages();
const exact = /^(?:npm:@[a-z-]+\/[a-z-]+@)?\d+\.\d+\.\d+$/;

test.each(packages.map(({ folder, manifest }) => ({ name: manifest['name'] as string, folder, manifest })))(
  '$name has a complete manifest, with the common fields of all packages',
  ({ name, folder, manifest }) => {
    const { version, license, type, engines, description, keywords, scripts, repository, homepage, bugs } = manifest;
    const kinds = ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies'] as const;
    const versions = kinds.flatMap((kind) => Object.entries((manifest[kind] ?? {}) as Record<string, string>));
    expect({
      isOurs: /^(?:turnwire|@turnwire\/[a-z-]+)$/.test(name),
      version,
      ...{ license, type, engines },
      describes: typeof description === 'string' && /^[A-Z].{20,}[^.]$/.test(description),
      keywords: (keywords as readonly string[]).slice(0, 2),
      inexact: versions.filter(([, each]) => !exact.test(each)),
      // Packages have no scripts for installing or publishing.
      scripts,
      // The repository has no public address yet.
      addresses: [repository, homepage, bugs],
      files: ['README.md', 'LICENSE'].filter((file) => !existsSync(join(folder, file))),
    }).toEqual({
      isOurs: true,
      version: packages[0]?.manifest['version'],
      license: 'Apache-2.0',
      type: 'module',
      engines: { node: '>=20.19' },
      describes: true,
      keywords: ['agent-client-protocol', 'acp'],
      inexact: [],
      scripts: undefined,
      addresses: [undefined, undefined, undefined],
      files: [],
    });
  },
);

test('sessions as a library come without a gateway, a database server and signed tokens', () => {
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    const { dependencies, optionalDependencies } =
      packages.find(({ manifest }) => manifest['name'] === name)?.manifest ?? {};
    Object.keys({ ...(dependencies as object), ...(optionalDependencies as object) }).forEach(add);
  };
  add('@turnwire/runtime');
  const unwanted = ['@turnwire/cluster', '@turnwire/gateway', 'jose', 'pg'];
  expect(unwanted.filter((name) => found.has(name))).toEqual([]);
  expect(found).toContain('@turnwire/protocol');
});

// The script of the engine looks for the program in the package, which works without it: docs/decisions/0020. VitePress has its own bundler.
test('only the two bundlers and the engine of stores have install scripts, and all work without them', () => {
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean; dev?: boolean; optional?: boolean }>;
  };
  const running = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(running.map(([path, { dev, optional }]) => [path, dev ? 'dev' : optional && 'optional'])).toEqual([
    ['node_modules/@photostructure/sqlite', 'optional'],
    ['node_modules/esbuild', 'dev'],
    ['node_modules/vitepress/node_modules/esbuild', 'dev'],
  ]);
});

const pages = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
})
  .toString()
  .split('\0')
  .filter((path) => path !== '');

/** Third-party programs that a page names on purpose, in the version for which the page was written. */
const others: readonly string[] = ['@lydell/node-pty@1.1.0', 'acpx@0.19'];

/** Dependencies of the root: in a clone `npx` runs them without a registry. */
const tools = Object.keys(
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { devDependencies: object }).devDependencies,
);

/** The packages that a line of a page fetches from a registry. */
function fetched(line: string): readonly string[] {
  const call =
    /\b(?:npm (?:install|i|add|exec|init|create)|npx|pnpx|bunx|pnpm (?:add|dlx)|yarn (?:add|dlx))((?:\s+[^\s`#)]+)*)/.exec(
      line,
    );
  if (!call) return [];
  const [, rest = ''] = call;
  const words = rest.trim().split(/\s+/);
  const isRun = /npx|pnpx|bunx|exec|dlx|create|init/.test(call[0].slice(0, call[0].length - rest.length));
  // `npx` with `--no` runs only installed packages, and paths are files.
  if (words.includes('--no')) return [];
  const names = words.filter((word) => word !== '' && !word.startsWith('-') && !/^[.~/$]|\.tgz$/.test(word));
  return isRun ? names.slice(0, 1) : names;
}

test('pages install only our packages and the programs that they name on purpose', () => {
  const wrong = pages.flatMap((page) =>
    readFileSync(join(root, page), 'utf8')
      .split('\n')
      .flatMap((line) => fetched(line).map((name) => ({ page, name })))
      .filter(({ name }) => !others.includes(name) && !tools.includes(name) && name !== 'tsc'),
  );
  expect(wrong).toEqual([]);
});

test('pages name only existing packages of ours', () => {
  const known = new Set([...packages.map(({ manifest }) => manifest['name'] as string), '@turnwire/source']);
  const unknown = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/@turnwire\/([a-z-]+)/g)]
      .map(([name]) => name)
      .filter((name) => !known.has(name))
      .map((name) => `${page}: ${name}`),
  );
  expect(unknown).toEqual([]);
});
