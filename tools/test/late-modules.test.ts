import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { expect, test } from 'vitest';
import { bundleProgram } from '../bundle-program.mjs';
import { root } from '../run.mjs';

/** Large modules that few runs need: they are loaded on demand, not at every start. */
const large = ['re2js', 'turndown', '@mixmark-io/domino', 'htmlparser2', 'marked', 'iconv-lite', 'file-type'];

const program = 'apps/cli/test/fixtures/turnwire.ts';

/** The chunks of the command as it is installed: one for each late import. */
const outputs = JSON.parse(
  readFileSync(join(dirname(bundleProgram(join(root, program))), 'outputs.json'), 'utf8'),
) as Metafile['outputs'];

/** The chunks that are loaded together with the chunk of one of our files. */
function readWith(entry: string): readonly Metafile['outputs'][string][] {
  const read = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === entry));
  expect([...read].map((path) => basename(path).replace(/(-\w{8})?\.js$/, ''))).toEqual([basename(entry, '.ts')]);
  for (const path of read)
    for (const { kind, path: next } of outputs[path]?.imports ?? []) if (kind === 'import-statement') read.add(next);
  return [...read].flatMap((path) => outputs[path] ?? []);
}

function largeOnesWith(entry: string): readonly string[] {
  const inputs = readWith(entry).flatMap((output) => Object.keys(output.inputs));
  return large.filter((name) => inputs.some((input) => input.includes(`node_modules/${name}/`)));
}

const parts = [
  'cli/src/commands/exec',
  'cli/src/commands/prompt',
  'cli/src/session-host/host-process',
  'cli/src/commands/check',
];
const agentParts = ['coder/src/session/open-session', 'coder/src/loop/answer-prompt'];

test('modules that few runs need are not loaded at every start of the command or its agent', () => {
  const entries = [program, ...[...parts, ...agentParts].map((part) => `apps/${part}.ts`)];
  expect(entries.map((entry) => [entry, largeOnesWith(entry)])).toEqual(entries.map((entry) => [entry, []]));
});

test('no run loads the code of places, and no agent that of records, before a session has a place or a turn changes something', () => {
  const rare = ['packages/runtime/src/places/places.ts', 'packages/machine/src/folder-record/folder-record.ts'];
  const entries = ['apps/cli/src/commands/exec.ts', ...agentParts.map((part) => `apps/${part}.ts`)];
  const loaded = entries.map((entry) => {
    const inputs = readWith(entry).flatMap((output) => Object.keys(output.inputs));
    return [entry, rare.filter((path) => inputs.includes(path))];
  });
  expect(loaded).toEqual(entries.map((entry) => [entry, []]));
});

test('modules for HTTP are loaded neither for a local agent nor by an agent without tools for the web', () => {
  const entries = [...parts.slice(0, 2), ...agentParts];
  const read = entries.map((entry) => {
    const imports = readWith(`apps/${entry}.ts`).flatMap((output) => output.imports);
    const atOnce = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
    return [entry, atOnce.filter((path) => /^node:(https?|http2|tls|dns|zlib)\b/.test(path))];
  });
  expect(read).toEqual(entries.map((entry) => [entry, []]));
});
