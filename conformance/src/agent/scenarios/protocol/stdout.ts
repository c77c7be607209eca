import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Stopped } from '../../../wire/stopped.ts';
import type { JournalEntry } from '../../../wire/journal.ts';
import { asMessage } from '../../../wire/messages.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { bareClient } from '../../host/client-offer.ts';
import type { AgentStage } from '../../agent-stage.ts';

/** How long an agent is watched before anything is asked of it, in milliseconds. */
const beforeAnything = 250;

/** What stdout is for. */
export const stdoutScenarios: readonly AgentScenario[] = [
  {
    id: 'stdout/first-words',
    title: 'nothing is said before initialize is answered',
    covers: ['R009', 'R042'],
    run: async (stage) => {
      const wire = await stage.open();
      await wire.quiet(beforeAnything);
      const { reply } = await stage.initialize(wire);
      const before = wire.journal.slice(0, wire.journal.indexOf(reply.entry));
      seeNoise(stage, before);
      const early = before.filter(({ from, message }) => from === 'agent' && isClientCall(message));
      stage.see.check('R042', early.length === 0, {
        otherwise: 'the client was called before it sent its capabilities',
        evidence: early,
      });
    },
  },
  {
    id: 'stdout/commands',
    title: 'what a command prints does not get into the protocol',
    covers: ['R009'],
    client: bareClient,
    run: async (stage) => {
      await writeFile(join(stage.folder, 'noise.sh'), 'echo turnwire-noise | tee ran.txt\n');
      const prompt = stage.steer('run', { command: 'sh noise.sh' });
      const { wire } = await stage.ready();
      const { id } = await stage.newSession(wire);
      const { entries } = await stage.prompt(wire, id, prompt);
      if (!existsSync(join(stage.folder, 'ran.txt'))) throw new Stopped('the agent did not run the command itself');
      seeNoise(stage, entries);
    },
  },
];

function seeNoise(stage: AgentStage, entries: readonly JournalEntry[]): void {
  const noise = entries.filter(({ from, message }) => from === 'agent' && asMessage(message) === undefined);
  stage.see.check('R009', noise.length === 0, { otherwise: 'there are lines that are not messages', evidence: noise });
}

/** Methods that a client need not have. */
function isClientCall(message: unknown): boolean {
  const method = asMessage(message)?.['method'];
  return typeof method === 'string' && /^(?:fs|terminal|elicitation)\//.test(method);
}
