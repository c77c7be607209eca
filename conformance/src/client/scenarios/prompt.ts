import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { at, type JournalEntry, objectsIn, quoted, type RawMessage } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import { type ClientScripts, type ClientStage, didNot, type Values } from '../client-stage.ts';
import type { ClientAction } from '../drive/client-driver.ts';
import type { ClientEnd } from '../drive/client-run.ts';
import { survives, wordsAfter } from './endings.ts';

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const promptScenarios: ClientScripts = {
  'prompt/command': async (stage) => {
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
  'prompt/stop-reasons': async (stage) => {
    for (const stopReason of ['max_tokens', 'max_turn_requests', 'refusal', 'cancelled']) {
      const done = await stage.turn((turn) => {
        turn.say(wordsAfter);
        return { stopReason };
      });
      // Whether that is a success is for the client to say.
      survives(stage, done);
    }
  },
  'prompt/no-image': (stage) => seeNone(stage, 'image', 'image'),
  'prompt/image': async (stage) => {
    const { data, mimeType, entry } = await blockOf(stage, 'image', 'image');
    const beginning = beginnings[String(mimeType)] ?? '';
    const isIt = Buffer.from(String(data), 'base64').toString('hex').startsWith(beginning);
    stage.see.check('R234', !isIt && `the data is not of the type ${String(mimeType)}`, entry);
  },
  'prompt/no-resource': (stage) => seeNone(stage, 'resource', 'mention'),
  'prompt/resource': async (stage) => {
    const { resource, entry } = await blockOf(stage, 'resource', 'mention');
    const uri = at(resource, 'uri');
    stage.see.check('R235', !URL.canParse(String(uri)) && `${quoted(uri)} is not a URI`, entry);
  },
};

type Block = RawMessage & { readonly entry: JournalEntry };

/** That an agent that does not take blocks of a type gets none. */
async function seeNone(stage: ClientStage, type: string, action: ClientAction): Promise<void> {
  const { found } = await blocksOf(stage, action, [type, false]);
  const fault = found.length > 0 && `there is a block of type ${type}, which the agent does not take`;
  stage.see.check(['R135', 'R237'], fault, found);
}

/** A block of a type, for an agent that takes it. Stops the scenario if the client sends none. */
async function blockOf(stage: ClientStage, type: string, action: ClientAction): Promise<Block> {
  const { found, end } = await blocksOf(stage, action, [type, true]);
  const [first] = found;
  if (first === undefined) throw didNot(`sent no block of type ${type}`, end);
  return first;
}

/** The blocks of a type in the prompt of a client whose agent takes them, or does not. */
async function blocksOf(
  stage: ClientStage,
  action: ClientAction,
  [type, isTaken]: readonly [string, boolean],
): Promise<{ readonly found: readonly Block[]; readonly end: ClientEnd }> {
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

async function filesFor(stage: ClientStage): Promise<Values> {
  const [image, blocks] = [join(stage.folder, 'dot.png'), stage.beside('blocks.json')];
  await writeFile(image, Buffer.from(dot, 'base64'));
  await writeFile(join(stage.folder, 'notes.txt'), 'Notes of a user.\n');
  const said = { type: 'text', text: 'What is this?' };
  await writeFile(blocks, JSON.stringify([said, { type: 'image', mimeType: 'image/png', data: dot }]));
  return { image, blocks, file: 'notes.txt' };
}
