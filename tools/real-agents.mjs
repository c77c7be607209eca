// npm run real-agents -- [NAME …] [--step STEP …] [--frames FOLDER]: makes the clone ready, then drives real agents with it.
// Which agents, which steps, what is installed where: tools/real-agents/README.md.
import { prepareOrExit } from './prepare.mjs';
import { runNode } from './run.mjs';

await prepareOrExit();
process.exitCode = await runNode(['--import', 'tsx', 'tools/real-agents/run.ts', ...process.argv.slice(2)]);
