// node sample-process.js CASE CONTENDER SECONDS: takes one sample in this process and prints it as JSON.
import { caseNamed } from './cases.ts';
import { type ContenderName } from './contender.ts';

const [name, contender, seconds] = process.argv.slice(2);
const sample = await caseNamed(name as string).measure({
  contender: contender as ContenderName,
  seconds: Number(seconds),
});
process.stdout.write(`${JSON.stringify(sample)}\n`, () => process.exit());
