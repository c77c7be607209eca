// node sample-process.js CASE CONTENDER SECONDS: takes one sample in this process and prints it as JSON.
import { cases } from './cases.ts';
import { printSample } from './print-sample.ts';

await printSample(cases);
