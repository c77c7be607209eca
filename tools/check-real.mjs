// npm run check-real [-- NAME …] [--record] [--traces FOLDER]: makes the clone ready, then judges real agents and clients with it.
// tools/real-agents/README.md names them and the files that `--record` writes.
import { prepareOrExit } from './prepare.mjs';
import { runNode } from './run.mjs';

await prepareOrExit();
process.exitCode = await runNode(['--import', 'tsx', 'tools/real-agents/check.ts', ...process.argv.slice(2)]);
