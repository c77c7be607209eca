// npm run check-real [-- NAME …] [--record] [--traces FOLDER] [--jobs N]: judges real agents and clients with `turnwire check --matrix`,
// one after the other, with a model on this machine. With --record the results are stored in docs/conformance.json and shown in
// docs/conformance.md.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CheckedSubject, isStrict } from './check-page.ts';
import { checkedSubject, type CheckReport, recordResults } from './check-results.ts';
import { type CheckCandidate, checkCandidates } from './check-subjects.ts';
import { root, runNode } from '../run.mjs';

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
const folder = await mkdtemp(join(tmpdir(), 'check-real-'));
try {
  const chosen = checkCandidates.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  for (const candidate of chosen) {
    const checked = await judged(candidate);
    print(checked);
    if (values.record) await recordResults([checked], names);
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function judged(candidate: CheckCandidate): Promise<CheckedSubject> {
  const { name, kind } = candidate;
  await using subject = await candidate.prepare();
  const [file, json] = [join(folder, 'matrix.json'), join(folder, 'report.json')];
  await rm(json, { force: true });
  await writeFile(file, JSON.stringify([{ name, ...subject.entry }]));
  const options = [...(values.traces === undefined ? [] : ['--trace', values.traces]), 'check', '--matrix', file];
  const timeouts = kind === 'agent' ? slowly : [];
  await runNode([
    join(root, 'apps/cli/bin/turnwire.js'),
    ...options,
    '--json',
    json,
    '--jobs',
    values.jobs,
    ...timeouts,
  ]);
  // An interrupted check writes no report, and nothing is recorded.
  const text = await readFile(json, 'utf8');
  if (values.traces !== undefined) await writeFile(join(values.traces, `${name}.json`), text);
  const [report] = JSON.parse(text) as readonly [CheckReport];
  return checkedSubject({ name, kind, packages: subject.packages }, report);
}

function print({ name, counts, broken }: CheckedSubject): void {
  const strict = broken.filter(({ level }) => isStrict(level)).map(({ id }) => id);
  console.log(`${name}: ${counts.passed} kept, ${counts.failed} broken, of them MUST: ${strict.join(' ') || 'none'}`);
}
