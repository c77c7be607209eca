import type { ContentBlock } from '@turnwire/protocol';
import { ToolError } from '../tool-error.ts';
import { promptValues } from './prompt-values.ts';
import { readBlock } from './result-blocks.ts';
import type { ServerLink } from './server-link.ts';
import type { OfferedPrompt } from './server-offers.ts';
import { shortened } from './server-request.ts';
import { plainName } from './tool-names.ts';

const mostCommands = 100;

/** A prompt of a server as a command: its messages are sent to the model. */
export interface PromptCommand {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  /** A hint at the text after the name. Absent: none is expected. */
  readonly hint?: string | undefined;
  /**
   * Lets the server fill in the prompt.
   * @param argument the text after the name
   * @throws ToolError if an argument is missing, or the server fails
   */
  readonly run: (
    turn: { readonly signal: AbortSignal },
    argument: string,
  ) => Promise<{ readonly prompt: readonly ContentBlock[] }>;
}

/** The prompts of servers as commands: `/server:prompt argument …`, each name once, at most 100. */
export function promptCommands(links: readonly ServerLink[]): readonly PromptCommand[] {
  const commands = new Map<string, PromptCommand>();
  for (const link of links) {
    for (const prompt of link.offers.prompts) {
      const name = `${plainName(link.name)}:${plainName(prompt.name)}`;
      if (commands.size < mostCommands && !commands.has(name))
        commands.set(name, promptCommand(name, { link, prompt }));
    }
  }
  return [...commands.values()];
}

function promptCommand(
  name: string,
  { link, prompt }: { readonly link: ServerLink; readonly prompt: OfferedPrompt },
): PromptCommand {
  const known = prompt.arguments ?? [];
  const hint = known.map((each) => (each.required === true ? each.name : `[${each.name}]`)).join(' ');
  return {
    name,
    description: oneLine(prompt.description ?? prompt.title ?? `A prompt of the MCP server ${link.name}`),
    ...(hint !== '' && { hint }),
    run: async ({ signal }, argument) => {
      const values = promptValues(argument, known);
      const missing = known.filter((each) => each.required === true && !Object.hasOwn(values, each.name));
      if (missing.length > 0)
        throw new ToolError(`It needs ${missing.map((each) => each.name).join(', ')}: \`/${name} ${hint}\`.`);
      const { messages } = await link.use({ signal }, (connection, terms) =>
        connection.getPrompt(prompt.name, values, terms),
      );
      return { prompt: blocksOf(messages, link) };
    },
  };
}

/** The content of the prompt, as if the user had sent it. */
function blocksOf(messages: readonly unknown[], link: ServerLink): readonly ContentBlock[] {
  const blocks = messages.flatMap((message) => {
    const { role, content } = (message ?? {}) as { readonly role?: unknown; readonly content?: unknown };
    const block = readBlock(content);
    if (block === undefined) return [];
    const isAnswer = role === 'assistant';
    return [
      isAnswer && block.type === 'text' ? { ...block, text: `An answer given as an example:\n${block.text}` } : block,
    ];
  });
  if (blocks.length === 0) throw new ToolError(`The MCP server ${link.name} returned an empty prompt.`);
  return blocks;
}

function oneLine(text: string): string {
  return shortened(text.replaceAll(/\s+/g, ' ').trim(), 300);
}
