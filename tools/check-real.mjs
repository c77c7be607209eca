// npm run check-real [-- NAME …] [--record] [--traces FOLDER]: makes the clone ready, then judges real agents and clients with it.
// Which there are, and what is kept: tools/real-agents/README.md.
import { prepareOrExit } from './prepare.mjs';
import { runNode } from './run.mjs';

await prepareOrExit();
process.exitCode = await runNode(['--import', 'tsx', 'tools/real-agents/check.ts', ...process.argv.slice(2)]);
