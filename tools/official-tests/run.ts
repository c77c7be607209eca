// npm run official-tests: runs the tests of the official SDK, unchanged, against packages/sdk-compat, and against the newest official SDK
// that is installed: a test that this fails as well is about something that the SDK has changed. They come from the registry into a temporary
// folder. `--write` renews the table of the tests that fail, in packages/sdk-compat/official-tests.md; without it, the run fails
// if that table is not true any more.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../run.mjs';
import { leftOutFiles, reasons } from './left-out.ts';

/** The last version of the package with each generation of tests. Later packages have none. */
const versions: readonly string[] = ['0.12.0', '1.9.0'];
const ours = '@turnwire/sdk-compat';
const official = '@agentclientprotocol/sdk';

/** The modules that tests import, and their replacements. All others stay, such as the JSON-RPC core that a test uses as its other end. */
const replaced = (name: string): Readonly<Record<string, string>> => ({
  'acp.js': `export * from '${name}';`,
  'v2/acp.js': `export * from '${name}/experimental/v2/unstable';`,
  'protocol-router.js': `export { agentProtocolRouter, AgentProtocolRouter } from '${name}/experimental/v2';`,
  'stream.js': `export * from '${name === ours ? `${name}/dist/stream.js` : name}';`,
  'http-stream.js': `export * from '${name}/experimental/http-client';`,
  'cookie-store.js': `export { MemoryAcpCookieStore } from '${name}/experimental/http-client';`,
  'ws-stream.js': `export * from '${name}/experimental/ws-client';`,
  'server.js': `export * from '${name}/experimental/server';`,
  'node-adapter.js': `export * from '${name}/experimental/node';`,
});

/** The tests were written for Node 22. */
const setup = `Promise.withResolvers ??= function () {
  let resolve, reject;
  const promise = new this((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
};`;

const config = `import { defineConfig } from 'vitest/config';
const conditions = ['@turnwire/source', 'node', 'module'];
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['v*/**/*.test.js'],
    exclude: ${JSON.stringify(Object.keys(leftOutFiles).map((file) => `**/${file}`))},
    setupFiles: ['./setup.mjs'],
    testTimeout: 15_000,
    server: { deps: { inline: [/packages/] } },
  },
});`;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const folder = mkdtempSync(join(tmpdir(), 'official-tests-'));
try {
  const table = tableOf(run(ours), run(official));
  const page = join(root, 'packages', 'sdk-compat', 'official-tests.md');
  if (process.argv.includes('--write')) writeFileSync(page, table);
  else if (readFileSync(page, 'utf8') !== table) {
    process.stdout.write(`${table}\nThe table has changed: run with --write, and look at the difference.\n`);
    process.exitCode = 1;
  }
  if (table.includes('| UNKNOWN |')) {
    process.stdout.write('A test fails without a reason in left-out.ts.\n');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs the tests of all versions on one package, in a separate folder. */
function run(name: string): Report {
  const place = join(folder, basename(name));
  mkdirSync(place);
  for (const version of versions) install(version, { name, place });
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  writeFileSync(join(place, 'setup.mjs'), setup);
  writeFileSync(join(place, 'vitest.config.mjs'), config);
  const out = join(place, 'report.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  try {
    execFileSync(process.execPath, [vitest, 'run', '--reporter=json', `--outputFile=${out}`], {
      cwd: place,
      stdio: 'ignore',
    });
  } catch {
    // Some tests fail: the report says which.
  }
  return JSON.parse(readFileSync(out, 'utf8')) as Report;
}

function install(version: string, { name, place }: { readonly name: string; readonly place: string }): void {
  const unpacked = join(folder, `unpacked-${version}`);
  if (!existsSync(unpacked)) {
    const archive = execFileSync('npm', ['pack', '--silent', `${official}@${version}`], {
      cwd: folder,
      encoding: 'utf8',
    });
    mkdirSync(unpacked);
    execFileSync('tar', ['xzf', join(folder, archive.trim()), '-C', unpacked]);
  }
  const target = join(place, `v${version}`);
  // Maps name sources that the package does not have.
  cpSync(join(unpacked, 'package', 'dist'), target, { recursive: true, filter: (path) => !path.endsWith('.map') });
  for (const [file, text] of Object.entries(replaced(name)))
    if (version !== '0.12.0' || file === 'acp.js') writeFileSync(join(target, file), `${text}\n`);
}

/** The tests of a report that passed. */
function passedOf({ testResults }: Report): ReadonlySet<string> {
  const passed = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'passed').map(({ fullName }) => `${fileOf(name)}: ${fullName}`),
  );
  return new Set(passed);
}

/** The version and the path of a test file: `1.9.0 v2/acp.test.js`. */
function fileOf(path: string): string {
  const [, version = '', file = ''] = /\/v(\d[^/]*)\/(.*)$/.exec(path) ?? [];
  return `${version} ${file}`;
}

function tableOf({ testResults }: Report, newest: Report): string {
  const passedByNewest = passedOf(newest);
  const files = testResults
    .map(({ name: path, assertionResults }) => ({ file: fileOf(path), results: assertionResults }))
    .toSorted((one, other) => (one.file < other.file ? -1 : 1));
  const counts = files.map(({ file, results }) => {
    const passed = results.filter(({ status }) => status === 'passed').length;
    return `| ${file} | ${results.length} | ${passed} |`;
  });
  const failed = files.flatMap(({ file, results }) =>
    results
      .filter(({ status }) => status !== 'passed')
      .map(({ fullName: test }) => ({ file, test, hasPassedNewest: passedByNewest.has(`${file}: ${test}`) })),
  );
  const all = files.flatMap(({ results }) => results);
  const passed = all.filter(({ status }) => status === 'passed').length;
  return `# The tests of the official SDK

\`npm run official-tests -- --write\` writes this page: it runs the tests that the packages 0.12.0 and 1.9.0 of the official SDK contain, unchanged, against this package. Later packages contain no tests.
${passed} of ${all.length} tests pass. Of the ${failed.length} others, the official version 2.4 fails ${failed.filter(({ hasPassedNewest }) => !hasPassedNewest).length} as well; it has no classes, so it fails every test of those.

| file | tests | pass |
|---|---|---|
${counts.join('\n')}

## Tests that fail

| test | 2.4 | reason |
|---|---|---|
${failed.map(row).join('\n')}

## Files that are left out

They test modules that programs cannot import.

| file | tests |
|---|---|
${Object.entries(leftOutFiles)
  .map(([file, about]) => `| ${file} | ${about} |`)
  .join('\n')}
`;
}

interface FailedTest {
  readonly file: string;
  readonly test: string;
  readonly hasPassedNewest: boolean;
}

function row({ file, test, hasPassedNewest }: FailedTest): string {
  const reason = reasons.find(
    ({ files, tests }) => files.includes(file.split(/[ /]/).at(-1) ?? '') && tests.test(test),
  )?.reason;
  return `| ${file}: ${test.replaceAll('|', '\\|')} | ${hasPassedNewest ? 'passes' : 'fails'} | ${reason ?? 'UNKNOWN'} |`;
}
