// npm run real-agents -- [NAME …] [--step STEP …] [--frames FOLDER] [--protocol 1|2] [--through proxy]: makes the clone ready, then drives real agents with it.
// tools/real-agents/README.md names the agents, the steps and the folders of installations.
import { prepareOrExit } from './prepare.mjs';
import { runNode } from './run.mjs';

await prepareOrExit();
process.exitCode = await runNode(['--import', 'tsx', 'tools/real-agents/run.ts', ...process.argv.slice(2)]);
