import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { Stopped } from '../../../wire/stopped.ts';
import { asMessage } from '../../../wire/messages.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import { objectsIn, updatesIn, wordsIn } from '../../pieces/frames.ts';

/** Milliseconds that the list of commands is waited for. */
const patience = 3_000;

/** Read-only commands, of any agent. */
const harmless = ['help', 'about', 'version', 'status', 'usage', 'context', 'cost', 'stats', 'mcp', 'model'];

/** How slash commands are run. */
export const commandScenarios: readonly AgentScenario[] = [
  {
    id: 'commands/link',
    title: 'a command is known by its prefix, with other content beside it too',
    covers: ['R278'],
    run: async (stage) => {
      const { wire } = await stage.ready();
      const { id } = await stage.newSession(wire);
      const command = `/${await harmlessCommand(wire)}`;
      const text = { type: 'text', text: command };
      const [first, second] = [await stage.prompt(wire, id, [text]), await stage.prompt(wire, id, [text])];
      const words = wordsIn(first.entries);
      if (words.trim() === '') throw new Stopped(`${command} says nothing`);
      if (wordsIn(second.entries) !== words) throw new Stopped(`${command} says something else each time`);
      const uri = pathToFileURL(join(stage.folder, 'quince.txt')).href;
      const { entries } = await stage.prompt(wire, id, [text, { type: 'resource_link', uri, name: 'quince.txt' }]);
      stage.see.check('R278', wordsIn(entries).includes(firstLine(words)), {
        otherwise: `${command} with a link beside it is not answered as it is alone`,
        evidence: entries,
      });
    },
  },
];

async function harmlessCommand(wire: Wire): Promise<string> {
  const announced = await wire.next(
    (message) => asMessage(asMessage(message['params'])?.['update'])?.['sessionUpdate'] === 'available_commands_update',
    { within: patience },
  );
  if (announced === undefined) throw new Stopped('the agent announces no commands');
  const names = updatesIn([announced]).flatMap(({ update }) =>
    objectsIn(update['availableCommands']).map(({ name }) => name),
  );
  const known = harmless.find((name) => names.includes(name));
  if (known === undefined) throw new Stopped('none of the commands is known to change nothing');
  return known;
}

function firstLine(words: string): string {
  return words.trim().split('\n', 1)[0] ?? '';
}
