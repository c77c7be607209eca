// npm run check [-- --bail] [-- STEP … | --skip STEP …]: everything a change must pass, and how long each part took.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareOrExit } from './prepare.mjs';
import { captureNode, root, runNode, tool } from './run.mjs';

// oxlint and oxfmt get folders, never `.`: without a .gitignore they would walk node_modules.
const folders = ['packages', 'apps', 'conformance', 'examples', 'bench', 'tools', 'docs', 'vitest.config.ts'];
const present = folders.filter((folder) => existsSync(join(root, folder)));

/**
 * The steps, quick ones and common failures first. Each step is a list of commands. The tests of the step `repository` read files that they
 * do not import, so `--changed` does not find them.
 */
const steps = {
  format: [[tool.oxfmt, '--check', ...present]],
  lint: [[tool.oxlint, '--deny-warnings', ...present]],
  words: [['tools/words.mjs']],
  folders: [['tools/folders.mjs']],
  types: [
    [tool.tsc, '-b'],
    [tool.tsc, '-p', 'tsconfig.test.json'],
    [tool.tsc, '-p', 'tools/test/page'],
    [tool.tsc, '-p', 'apps/web/test/drawn'],
    [tool.tsc, '-p', 'tools/site'],
  ],
  dead: [[tool.knip]],
  lockfile: [['tools/complete-lockfile.mjs', '--check']],
  generated: [['tools/generate.mjs', '--check']],
  snippets: [['tools/sync-snippets.mjs', '--check']],
  surface: [['tools/surface.mjs']],
  docs: [[tool.typedoc, '--options', 'docs/typedoc.json']],
  // With the API reference, if `docs` ran before.
  site: [['--import', 'tsx', 'tools/site/main.ts']],
  size: [['--import', 'tsx', 'tools/bundle-size.ts']],
  repository: [
    [
      tool.vitest,
      'run',
      ...['metadata', 'started-programs', 'versions', 'run-folder'].map((name) => `tools/test/${name}`),
    ],
  ],
  tests: [['tools/test.mjs']],
};

/** Steps that always print their output; others print it only if they fail. */
const loud = new Set(['size', 'tests']);

const { values, positionals } = parseArgs({
  options: { bail: { type: 'boolean', default: false }, skip: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
});
refuseUnknown([...positionals, ...values.skip]);
await prepareOrExit({ build: false });

const results = [];
for (const name of chosenSteps()) {
  console.log(`\n── ${name}`);
  const result = await runStep(name);
  results.push(result);
  console.log(`   ${result.ok ? 'ok' : 'FAILED'}, ${result.seconds} s`);
  if (!result.ok && values.bail) break;
}
report(results);

function refuseUnknown(names) {
  const unknown = names.filter((name) => !Object.hasOwn(steps, name));
  if (unknown.length === 0) return;
  console.error(`There is no step called ${unknown.join(', ')}. Steps: ${Object.keys(steps).join(', ')}`);
  process.exit(2);
}

function chosenSteps() {
  const named = positionals.length > 0 ? positionals : Object.keys(steps);
  return named.filter((name) => !values.skip.includes(name));
}

async function runStep(name) {
  const started = performance.now();
  let ok = true;
  for (const command of steps[name]) ok = (await runCommand(command, loud.has(name))) && ok;
  return { name, ok, seconds: ((performance.now() - started) / 1000).toFixed(1) };
}

async function runCommand(command, isLoud) {
  if (isLoud) return (await runNode(command)) === 0;
  const { code, output } = await captureNode(command);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}

function report(all) {
  console.log('\nstep        seconds');
  for (const { name, ok, seconds } of all) {
    console.log(`${name.padEnd(11)} ${seconds.padStart(7)}  ${ok ? 'ok' : 'FAILED'}`);
  }
  const failed = all.filter(({ ok }) => !ok).length;
  console.log(`\n${all.length - failed} steps ok, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
