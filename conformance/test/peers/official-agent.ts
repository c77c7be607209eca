import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { type AgentSubject, commandSubject } from '../../src/agent/agent-subject.ts';

const program = fileURLToPath(new URL('official-agent.mjs', import.meta.url));

/** An agent made with the official SDK, as a process: somebody else's reading of the protocol. */
export function officialAgent(): AgentSubject {
  const { PATH = '' } = process.env;
  return commandSubject([process.execPath, bundleProgram(program)], { PATH });
}
