import { basename } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { expect, test } from 'vitest';
import { directImports } from '../direct-imports.mjs';
import { root } from '../run.mjs';

/** Large modules that few runs need: they are read when they are, not at every start. */
const large = ['re2js', 'turndown', '@mixmark-io/domino', 'htmlparser2', 'marked', 'iconv-lite', 'file-type'];

const program = 'apps/cli/src/main.ts';

/** The outputs of the command, as it is installed: one for each part that is imported late. */
async function outputsOfCommand(): Promise<Metafile['outputs']> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [program],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    metafile: true,
    external: ['@vscode/ripgrep'],
    plugins: [directImports()],
    conditions: ['@turnwire/source', 'module'],
    mainFields: ['module', 'main'],
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'silent',
  });
  return metafile.outputs;
}

/** The outputs that are read together with the one that a file of ours begins. */
function readWith(entry: string, outputs: Metafile['outputs']): readonly Metafile['outputs'][string][] {
  const read = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === entry));
  expect([...read].map((path) => basename(path).replace(/(-\w{8})?\.js$/, ''))).toEqual([basename(entry, '.ts')]);
  for (const path of read)
    for (const { kind, path: next } of outputs[path]?.imports ?? []) if (kind === 'import-statement') read.add(next);
  return [...read].flatMap((path) => outputs[path] ?? []);
}

function largeOnesWith(entry: string, outputs: Metafile['outputs']): readonly string[] {
  const inputs = readWith(entry, outputs).flatMap((output) => Object.keys(output.inputs));
  return large.filter((name) => inputs.some((input) => input.includes(`node_modules/${name}/`)));
}

const parts = [
  'cli/src/commands/exec',
  'cli/src/commands/prompt',
  'cli/src/session-host/host-process',
  'cli/src/commands/check',
];
const agentParts = ['coder/src/session/open-session', 'coder/src/loop/answer-prompt'];

const building = outputsOfCommand();

test('what few runs need is not read whenever the command or its agent is', async () => {
  const entries = [program, ...[...parts, ...agentParts].map((part) => `apps/${part}.ts`)];
  const outputs = await building;
  expect(entries.map((entry) => [entry, largeOnesWith(entry, outputs)])).toEqual(entries.map((entry) => [entry, []]));
});

test('what speaks HTTP is read neither where the agent is on this machine, nor by an agent that needs nothing of the web', async () => {
  const outputs = await building;
  const entries = [...parts.slice(0, 2), ...agentParts];
  const read = entries.map((entry) => {
    const imports = readWith(`apps/${entry}.ts`, outputs).flatMap((output) => output.imports);
    const atOnce = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
    return [entry, atOnce.filter((path) => /^node:(https?|http2|tls|dns|zlib)\b/.test(path))];
  });
  expect(read).toEqual(entries.map((entry) => [entry, []]));
});
