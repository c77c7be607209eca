// npm run bench -- NAME …: makes the clone ready, then measures. bench/README.md names the benchmarks.
import { prepareOrExit } from './prepare.mjs';
import { runNode } from './run.mjs';

await prepareOrExit();
process.exitCode = await runNode(['--import', 'tsx', 'bench/run.ts', ...process.argv.slice(2)]);
