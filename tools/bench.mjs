// npm run bench -- NAME …: makes the clone ready, then measures. What there is to measure: bench/README.md.
import { prepareOrExit } from './prepare.mjs';
import { runNode } from './run.mjs';

await prepareOrExit();
process.exitCode = await runNode(['--import', 'tsx', 'bench/run.ts', ...process.argv.slice(2)]);
