// node sample-process.js SUITE CASE CONTENDER SECONDS: takes one sample in this process and prints it as JSON.
import type { Case } from './case.ts';
import { casesOf, type SuiteName } from './suites.ts';

const [suite, name, contender = '', seconds] = process.argv.slice(2);
const cases: readonly Case<string>[] = await casesOf(suite as SuiteName);
const found = cases.find((each) => each.name === name);
if (found === undefined)
  throw new Error(`There is no case ${name}. Cases: ${cases.map((each) => each.name).join(', ')}`);
const sample = await found.measure({ contender, seconds: Number(seconds) });
process.stdout.write(`${JSON.stringify(sample)}\n`, () => process.exit());
