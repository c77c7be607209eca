import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequirementId } from '../../requirements/requirement.ts';
import type { Fault } from '../../verdict/observer.ts';
import type { JournalEntry, RawMessage } from '../../wire/journal.ts';
import { at, objectsIn, quoted } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import { type ClientScenario, clientScenario } from '../client-scenario.ts';
import { type ClientStage, didNot, type Values } from '../client-stage.ts';
import type { ClientAction } from '../drive/client-driver.ts';
import type { ClientEnd } from '../drive/client-run.ts';
import { survives, wordsAfter } from './endings.ts';

/** A picture of one dot. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What is in a prompt. */
export const promptScenarios: readonly ClientScenario[] = [
  clientScenario('prompt/command', ['R277'], {
    title: 'a command is the text of a prompt that begins with a slash and its name',
    run: async (stage) => {
      const availableCommands = [{ name: 'web', description: 'Search the web', input: { hint: 'what for' } }];
      stage.play((agent) => {
        agent.handle('session/new', () => {
          // Told as soon as the session is there.
          const sessionUpdate = 'available_commands_update';
          setImmediate(() => agent.update('session-1', { sessionUpdate, availableCommands }));
          return { sessionId: 'session-1' };
        });
      });
      const { agent } = await stage.turn(() => undefined, { values: { prompt: '/web the agent client protocol' } });
      const [call] = agent.calls('session/prompt');
      const texts = objectsIn(call?.params['prompt']).map((block) => block['text']);
      if (!texts.some((text) => String(text).includes('agent client protocol')))
        throw new Stopped('the client sends its own prompt');
      const isWhole = texts.includes('/web the agent client protocol');
      stage.see.check('R277', !isWhole && `the command came as ${quoted(texts)}`, call);
    },
  }),
  clientScenario('prompt/stop-reasons', ['R336'], {
    title: 'a turn may end for every reason there is',
    run: async (stage) => {
      for (const stopReason of ['max_tokens', 'max_turn_requests', 'refusal', 'cancelled']) {
        const done = await stage.turn((turn) => {
          turn.say(wordsAfter);
          return { stopReason };
        });
        // Whether that is a success is for the client to say.
        survives(stage, done);
      }
    },
  }),
  unwanted('image', 'image'),
  wanted('image', { action: 'image', faultOf: faultOfImage, covers: 'R234' }),
  unwanted('resource', 'mention'),
  wanted('resource', { action: 'mention', faultOf: faultOfResource, covers: 'R235' }),
];

/** A block of some type in a prompt for an agent that does not take it. */
function unwanted(type: string, action: ClientAction): ClientScenario {
  return clientScenario(`prompt/no-${type}`, ['R135', 'R237'], {
    title: `a prompt has no block of type ${type} for an agent that does not take it`,
    run: async (stage) => {
      const { found } = await blocksOf(stage, action, [type, false]);
      const fault = found.length > 0 && `there is a block of type ${type}, which the agent does not take`;
      stage.see.check(['R135', 'R237'], fault, found);
    },
  });
}

/** A prompt with something in it that not every agent takes. */
interface Content {
  readonly action: ClientAction;
  readonly covers: RequirementId;
  readonly faultOf: (block: RawMessage) => Fault;
}

function wanted(type: string, { action, covers, faultOf }: Content): ClientScenario {
  return clientScenario(`prompt/${type}`, [covers], {
    title: `a prompt may have a block of type ${type} for an agent that takes it`,
    run: async (stage) => {
      const { found, end } = await blocksOf(stage, action, [type, true]);
      const [first] = found;
      if (first === undefined) throw didNot(`sent no block of type ${type}`, end);
      stage.see.check(covers, faultOf(first), found);
    },
  });
}

/** The blocks of a type in the prompt of a client whose agent takes them, or does not. */
async function blocksOf(
  stage: ClientStage,
  action: ClientAction,
  [type, isTaken]: readonly [string, boolean],
): Promise<{ readonly found: readonly (RawMessage & { readonly entry: JournalEntry })[]; readonly end: ClientEnd }> {
  const promptCapabilities = { image: isTaken, embeddedContext: isTaken };
  stage.play((agent) => agent.offer({ capabilities: { promptCapabilities } }));
  const { agent, end } = await stage.perform(action, await filesFor(stage));
  const blocks = agent
    .calls('session/prompt')
    .flatMap(({ entry, params }) => objectsIn(params['prompt']).map((block) => ({ ...block, entry })));
  return { found: blocks.filter((block: RawMessage) => block['type'] === type), end };
}

/** How the bytes of pictures begin, in hexadecimal. */
const beginnings: Readonly<Record<string, string>> = {
  'image/png': '89504e47',
  'image/jpeg': 'ffd8ff',
  'image/gif': '47494638',
  'image/webp': '52494646',
};

function faultOfImage({ data, mimeType }: RawMessage): Fault {
  const beginning = beginnings[String(mimeType)] ?? '';
  const isIt = Buffer.from(String(data), 'base64').toString('hex').startsWith(beginning);
  return !isIt && `the data is not of the type ${String(mimeType)}`;
}

function faultOfResource({ resource }: RawMessage): Fault {
  const uri = at(resource, 'uri');
  return !URL.canParse(String(uri)) && `${quoted(uri)} is not a URI`;
}

async function filesFor(stage: ClientStage): Promise<Values> {
  const [image, blocks] = [join(stage.folder, 'dot.png'), stage.beside('blocks.json')];
  await writeFile(image, Buffer.from(dot, 'base64'));
  await writeFile(join(stage.folder, 'notes.txt'), 'Notes of a user.\n');
  const said = { type: 'text', text: 'What is this?' };
  await writeFile(blocks, JSON.stringify([said, { type: 'image', mimeType: 'image/png', data: dot }]));
  return { image, blocks, file: 'notes.txt' };
}
