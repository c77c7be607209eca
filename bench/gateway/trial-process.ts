// node trial-process.js TRIAL [quick]: runs one trial and prints its figures as JSON.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { trials } from './trials.ts';

const [name, effort] = process.argv.slice(2);
const trial = trials.find((each) => each.name === name);
if (!trial) throw new Error(`there is no trial called ${name}`);
const folder = await mkdtemp(join(tmpdir(), 'turnwire-bench-'));
try {
  console.log(JSON.stringify(await trial.run({ isQuick: effort === 'quick', folder })));
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit();
