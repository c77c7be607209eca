import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequirementId } from '../../requirements/requirement.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { RawMessage } from '../../wire/journal.ts';
import { asMessage } from '../../wire/messages.ts';
import type { PlayedAgent } from '../agent/played-agent.ts';
import type { ClientScenario } from '../client-scenario.ts';
import { type ClientStage, didNot } from '../client-stage.ts';
import { survives, wordsAfter } from './endings.ts';
import type { ClientAction } from '../drive/client-driver.ts';

/** A picture of one dot. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What is in a prompt. */
export const promptScenarios: readonly ClientScenario[] = [
  {
    id: 'prompt/command',
    title: 'a command is the text of a prompt that begins with a slash and its name',
    covers: ['R277'],
    run: async (stage) => {
      stage.play((agent) => {
        agent.handle('session/new', () => {
          // Told as soon as the session is there.
          setImmediate(() =>
            agent.update('session-1', {
              sessionUpdate: 'available_commands_update',
              availableCommands: [{ name: 'web', description: 'Search the web', input: { hint: 'what for' } }],
            }),
          );
          return { sessionId: 'session-1' };
        });
      });
      const done = await stage.turn(() => undefined, { values: { prompt: '/web the agent client protocol' } });
      const [call] = done.agent.calls('session/prompt');
      const texts = blocksOf(call?.params).map((block) => block['text']);
      if (!texts.some((text) => String(text).includes('agent client protocol')))
        throw new Stopped('the client sends its own prompt');
      const fault = !texts.includes('/web the agent client protocol') && `the command came as ${JSON.stringify(texts)}`;
      stage.see.check('R277', fault, call);
    },
  },
  {
    id: 'prompt/stop-reasons',
    title: 'a turn may end for every reason there is',
    covers: ['R336'],
    run: async (stage) => {
      for (const stopReason of ['max_tokens', 'max_turn_requests', 'refusal', 'cancelled']) {
        const done = await stage.turn(({ agent, sessionId }) => {
          agent.say(sessionId, wordsAfter);
          return { stopReason };
        });
        // Whether that is a success is for the client to say.
        survives(stage, done);
      }
    },
  },
  content({ offered: false, action: 'image', type: 'image', covers: ['R135', 'R237'] }),
  content({ offered: true, action: 'image', type: 'image', covers: ['R234'] }),
  content({ offered: false, action: 'mention', type: 'resource', covers: ['R135', 'R237'] }),
  content({ offered: true, action: 'mention', type: 'resource', covers: ['R235'] }),
];

interface Content {
  readonly offered: boolean;
  readonly action: ClientAction;
  readonly type: string;
  readonly covers: readonly RequirementId[];
}

/** A prompt with something in it that not every agent takes. */
function content({ offered, action, type, covers }: Content): ClientScenario {
  return {
    id: `prompt/${offered ? '' : 'no-'}${type}`,
    title: offered
      ? `a prompt may have a block of type ${type} for an agent that takes it`
      : `a prompt has no block of type ${type} for an agent that does not take it`,
    covers,
    run: async (stage) => {
      stage.play((agent) =>
        agent.offer({ capabilities: { promptCapabilities: { image: offered, embeddedContext: offered } } }),
      );
      const { agent, end } = await stage.perform(action, await filesFor(stage));
      const calls = agent.calls('session/prompt');
      const found = calls.filter(({ params }) => blocksOf(params).some((block) => block['type'] === type));
      if (offered && found.length === 0) throw didNot(`sent no block of type ${type}`, end);
      if (offered) return judgeBlocks(stage, found, { type, covers });
      for (const requirement of covers)
        stage.see.check(
          requirement,
          found.length > 0 && `there is a block of type ${type}, which the agent does not take`,
          found,
        );
    },
  };
}

/** That a block is sound; what else may be done is done by sending it. */
function judgeBlocks(
  { see }: ClientStage,
  calls: ReturnType<PlayedAgent['calls']>,
  { type, covers: [shape = 'R233', ...freedoms] }: Pick<Content, 'type' | 'covers'>,
): void {
  const block = calls.flatMap(({ params }) => blocksOf(params)).find((each) => each['type'] === type) ?? {};
  const fault = type === 'image' ? faultOfImage(block) : faultOfResource(block);
  see.check(shape, fault, calls);
  for (const freedom of freedoms) see.held(freedom);
}

/** How the bytes of pictures begin, in hexadecimal. */
const beginnings: Readonly<Record<string, string>> = {
  'image/png': '89504e47',
  'image/jpeg': 'ffd8ff',
  'image/gif': '47494638',
  'image/webp': '52494646',
};

function faultOfImage({ data, mimeType }: RawMessage): string | undefined {
  const beginning = beginnings[String(mimeType)];
  if (beginning === undefined || Buffer.from(String(data), 'base64').toString('hex').startsWith(beginning))
    return undefined;
  return `the data is not of the type ${String(mimeType)}`;
}

function faultOfResource({ resource }: RawMessage): string | undefined {
  const uri = asMessage(resource)?.['uri'];
  return URL.canParse(String(uri)) ? undefined : `${JSON.stringify(uri)} is not a URI`;
}

async function filesFor(stage: ClientStage): Promise<Readonly<Record<string, string>>> {
  const [image, file] = [join(stage.folder, 'dot.png'), join(stage.folder, 'notes.txt')];
  await writeFile(image, Buffer.from(dot, 'base64'));
  await writeFile(file, 'Notes of a user.\n');
  const blocks = stage.beside('blocks.json');
  const said = { type: 'text', text: 'What is this?' };
  await writeFile(blocks, JSON.stringify([said, { type: 'image', mimeType: 'image/png', data: dot }]));
  return { image, blocks, file: 'notes.txt' };
}

function blocksOf(params: RawMessage | undefined): readonly RawMessage[] {
  const prompt: unknown = params?.['prompt'];
  return Array.isArray(prompt) ? prompt.map((block: unknown) => asMessage(block) ?? {}) : [];
}
