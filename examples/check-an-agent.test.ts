// Runs scenarios of the test kit as tests of an agent. With node:test instead of vitest only the import of `test` differs.
import { join } from 'node:path';
import { agentScenarios, commandSubject, testAgent } from '@turnwire/conformance';
import { test } from 'vitest';
import { bundleProgram } from '../tools/bundle-program.mjs';

const program = bundleProgram(join(import.meta.dirname, '01-echo-agent.ts'));

testAgent(test, commandSubject([process.execPath, program]), {
  // Without this option all scenarios run.
  scenarios: agentScenarios.filter(({ id }) => /^(?:initialize|ids)\//.test(id)),
});
