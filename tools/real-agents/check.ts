// npm run check-real [-- NAME …] [--record] [--traces FOLDER] [--jobs N]: gives real agents and clients to `turnwire check matrix`, one
// after the other, with a model on this machine. With --record the results are kept in docs/conformance.md.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CheckCandidate, checkCandidates } from './check-subjects.ts';
import { root, runNode, tool } from '../run.mjs';

const { values, positionals } = parseArgs({
  options: {
    record: { type: 'boolean', default: false },
    traces: { type: 'string' },
    jobs: { type: 'string', default: '2' },
  },
  allowPositionals: true,
});
const names = checkCandidates.map(({ name }) => name);
const unknown = positionals.filter((each) => !names.includes(each));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Known names are: ${names.join(', ')}`);
  process.exit(2);
}
/** Agents of this size take seconds to start, and longer on a busy machine. */
const slowly = ['--timeout', '60', '--turn-timeout', '240'];
const page = join(root, 'docs/conformance.md');
const folder = await mkdtemp(join(tmpdir(), 'check-real-'));
try {
  const chosen = checkCandidates.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  for (const candidate of chosen) await check(candidate);
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
if (values.record) await runNode([tool.oxfmt, page.replace('.md', '.json')]);

async function check(candidate: CheckCandidate): Promise<void> {
  const { name, kind } = candidate;
  await using subject = await candidate.prepare();
  const { entry, packages } = subject;
  const file = join(folder, 'matrix.json');
  await writeFile(file, JSON.stringify([{ name, packages, ...entry }]));
  const kept = values.record ? ['--page', page] : [];
  const traces = values.traces === undefined ? [] : ['--trace', values.traces];
  const timeouts = kind === 'agent' ? slowly : [];
  const turnwire = join(root, 'apps/cli/bin/turnwire.js');
  await runNode([turnwire, 'check', 'matrix', file, '--jobs', values.jobs, ...kept, ...traces, ...timeouts]);
}
