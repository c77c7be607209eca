import { z } from 'zod';
import { defineTool } from '../tools/tool.ts';
import type { Tool } from '../tools/tool.ts';

const mostCharacters = 400_000;
const mostFound = 10;

/** The tools a model is offered, and those it can only search for. */
export interface ToolChoice {
  readonly offered: readonly Tool[];
  readonly hidden: readonly Tool[];
}

/** How tools are chosen. */
export interface ToolSearch {
  /** The most that are offered without a search. */
  readonly most: number;
  /** Names of the tools that the model has found, which are always offered. */
  readonly found: ReadonlySet<string>;
  /** Called with the tools that a search of the model found. */
  readonly remember: (tools: readonly Tool[]) => void;
}

/**
 * Chooses the tools a model is offered: the first ones, up to a number and a total length, because each request sends all of them to the model.
 * The model can search for the others with a tool of ours, and is offered those it finds.
 */
export function chooseTools(tools: readonly Tool[], { most, found, remember }: ToolSearch): ToolChoice {
  let left = mostCharacters;
  const first = new Set(
    tools.slice(0, most).filter(({ description, inputSchema }) => {
      left -= description.length + JSON.stringify(inputSchema).length;
      return left >= 0;
    }),
  );
  const hidden = tools.filter((tool) => !first.has(tool));
  if (hidden.length === 0) return { offered: tools, hidden };
  const offered = tools.filter((tool) => first.has(tool) || found.has(tool.name));
  return { offered: [...offered, findTool(hidden, remember)], hidden };
}

function findTool(hidden: readonly Tool[], remember: ToolSearch['remember']): Tool {
  return defineTool({
    name: 'find-mcp-tools',
    kind: 'search',
    description: `Find tools of MCP servers by words of their names and descriptions. There are ${hidden.length} besides those you are offered; the tools found can be called from then on.`,
    effect: 'talks',
    input: () =>
      z.strictObject({ words: z.string().min(1).max(200).describe('Words that describe the purpose of the tool') }),
    prepare: async ({ words }) => ({
      title: `Find tools for ${words}`,
      facts: {},
      run: async () => {
        const tools = bestOf(hidden, words);
        remember(tools);
        return { text: foundText(tools) };
      },
    }),
  });
}

function bestOf(tools: readonly Tool[], words: string): readonly Tool[] {
  const wanted = words
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return tools
    .map((tool) => ({ tool, rank: rankOf(tool, wanted) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, mostFound)
    .map(({ tool }) => tool);
}

function rankOf({ name, description }: Tool, wanted: readonly string[]): number {
  const inName = name.toLowerCase();
  const inDescription = description.toLowerCase();
  return wanted.reduce(
    (rank, word) => rank + (inName.includes(word) ? 2 : 0) + (inDescription.includes(word) ? 1 : 0),
    0,
  );
}

function foundText(tools: readonly Tool[]): string {
  if (tools.length === 0) return 'No tool was found. Try other words.';
  return tools.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
}
