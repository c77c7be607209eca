// npm run official-tests: runs the tests of the official SDK, unchanged, against packages/sdk-compat. They come from the registry into a
// temporary folder. `--write` renews the table of the tests that fail, in packages/sdk-compat/official-tests.md; without it, the run fails
// if that table is not true any more.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { root } from '../run.mjs';
import { leftOutFiles, reasons } from './left-out.ts';

/** The last version of the package with each generation of tests. Later packages have none. */
const versions: readonly string[] = ['0.12.0', '1.9.0'];
const name = '@turnwire/sdk-compat';

/** The modules that tests import, and their replacements. All others stay, such as the JSON-RPC core that a test uses as its other end. */
const replaced: Readonly<Record<string, string>> = {
  'acp.js': `export * from '${name}';`,
  'v2/acp.js': `export * from '${name}/experimental/v2/unstable';`,
  'protocol-router.js': `export { agentProtocolRouter, AgentProtocolRouter } from '${name}/experimental/v2';`,
  'stream.js': `export * from '${name}/dist/stream.js';`,
  'http-stream.js': `export * from '${name}/experimental/http-client';`,
  'cookie-store.js': `export { MemoryAcpCookieStore } from '${name}/experimental/http-client';`,
  'ws-stream.js': `export * from '${name}/experimental/ws-client';`,
  'server.js': `export * from '${name}/experimental/server';`,
  'node-adapter.js': `export * from '${name}/experimental/node';`,
};

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
  for (const version of versions) install(version);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'setup.mjs'), setup);
  writeFileSync(join(folder, 'vitest.config.mjs'), config);
  const table = tableOf(run());
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

function install(version: string): void {
  const archive = execFileSync('npm', ['pack', '--silent', `@agentclientprotocol/sdk@${version}`], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();
  const unpacked = join(folder, `unpacked-${version}`);
  mkdirSync(unpacked);
  execFileSync('tar', ['xzf', join(folder, archive), '-C', unpacked]);
  const target = join(folder, `v${version}`);
  // Maps name sources that the package does not have.
  cpSync(join(unpacked, 'package', 'dist'), target, { recursive: true, filter: (path) => !path.endsWith('.map') });
  for (const [file, text] of Object.entries(replaced))
    if (version !== '0.12.0' || file === 'acp.js') writeFileSync(join(target, file), `${text}\n`);
}

function run(): Report {
  const out = join(folder, 'report.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  try {
    execFileSync(process.execPath, [vitest, 'run', '--reporter=json', `--outputFile=${out}`], {
      cwd: folder,
      stdio: 'ignore',
    });
  } catch {
    // Some tests fail: the report says which.
  }
  return JSON.parse(readFileSync(out, 'utf8')) as Report;
}

function tableOf({ testResults }: Report): string {
  const files = testResults
    .map(({ name: path, assertionResults }) => ({ file: relative(folder, path), results: assertionResults }))
    .toSorted((one, other) => (one.file < other.file ? -1 : 1));
  const counts = files.map(({ file, results }) => {
    const passed = results.filter(({ status }) => status === 'passed').length;
    return `| ${file.slice(1).replace('/', ' ')} | ${results.length} | ${passed} |`;
  });
  const failed = files.flatMap(({ file, results }) =>
    results.filter(({ status }) => status !== 'passed').map(({ fullName }) => row(file, fullName)),
  );
  const all = files.flatMap(({ results }) => results);
  const passed = all.filter(({ status }) => status === 'passed').length;
  return `# The tests of the official SDK

\`npm run official-tests -- --write\` writes this page: it runs the tests that the packages 0.12.0 and 1.9.0 of the official SDK contain, unchanged, against this package. Later packages contain no tests.
${passed} of ${all.length} tests pass.

| file | tests | pass |
|---|---|---|
${counts.join('\n')}

## Tests that fail

| test | reason |
|---|---|
${failed.join('\n')}

## Files that are left out

They test modules that programs cannot import.

| file | tests |
|---|---|
${Object.entries(leftOutFiles)
  .map(([file, about]) => `| ${file} | ${about} |`)
  .join('\n')}
`;
}

function row(file: string, test: string): string {
  const reason = reasons.find(({ files, tests }) => files.includes(basename(file)) && tests.test(test))?.reason;
  return `| ${file.slice(1).replace('/', ' ')}: ${test.replaceAll('|', '\\|')} | ${reason ?? 'UNKNOWN'} |`;
}
