// npm run real-programs -- [NAME …] [--step STEP …] [--frames FOLDER] [--record]: makes the clone ready, then runs programs that use the
// official SDK, once with it and once with packages/sdk-compat in its place.
import { prepareOrExit } from './prepare.mjs';
import { runNode } from './run.mjs';

await prepareOrExit();
process.exitCode = await runNode(['--import', 'tsx', 'tools/sdk-programs/main.ts', ...process.argv.slice(2)]);
