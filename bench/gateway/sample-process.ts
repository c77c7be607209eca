// node sample-process.js CASE CONTENDER SECONDS: takes one sample in this process and prints it as JSON.
import { printSample } from '../wire/print-sample.ts';
import { gatewayCases } from './cases.ts';

await printSample(gatewayCases);
