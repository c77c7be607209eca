import type { Case } from './case.ts';
import type { ContenderName } from './contender.ts';

/** Takes the sample that this process was started for, by name of the case, contender and seconds, and ends the process. */
export async function printSample(cases: readonly Case[]): Promise<void> {
  const [name, contender, seconds] = process.argv.slice(2);
  const found = cases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no case ${name}; there are: ${cases.map((each) => each.name).join(', ')}`);
  const sample = await found.measure({ contender: contender as ContenderName, seconds: Number(seconds) });
  process.stdout.write(`${JSON.stringify(sample)}\n`, () => process.exit());
}
