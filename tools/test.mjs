// npm test [-- vitest arguments]: makes the clone ready, then runs the tests. The last line is `N passed, N failed`.
import { PrepareError, prepare } from './prepare.mjs';
import { runNode, tool } from './run.mjs';

try {
  await prepare();
  // Loading extra certificates takes each process 80 ms, and a run starts thousands. Tests trust only certificates that they create.
  delete process.env.NODE_EXTRA_CA_CERTS;
  process.exitCode = await runNode([tool.vitest, 'run', ...process.argv.slice(2)]);
} catch (error) {
  console.error(error instanceof PrepareError ? `turnwire: ${error.message}` : error);
  console.log('\n0 passed, 1 failed');
  process.exitCode = 1;
}
