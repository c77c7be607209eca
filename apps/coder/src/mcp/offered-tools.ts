import { z } from 'zod';
import { ToolError } from '../tools/tool-error.ts';
import { defineTool } from '../tools/tool.ts';
import type { Tool } from '../tools/tool.ts';

const mostCharacters = 400_000;
const mostFound = 10;

/** The tools a model is offered, and those it can only look for. */
export interface ToolChoice {
  readonly offered: readonly Tool[];
  readonly hidden: readonly Tool[];
}

/**
 * Chooses the tools a model is offered: as they come, so many and so long together. With each request all of them are sent to the model, so there has to be an
 * end. The others can be looked for and called by two tools of ours.
 */
export function chooseTools(tools: readonly Tool[], most: number): ToolChoice {
  let room = mostCharacters;
  const offered = tools.slice(0, most).filter(({ description, inputSchema }) => {
    room -= description.length + JSON.stringify(inputSchema).length;
    return room >= 0;
  });
  if (offered.length === tools.length) return { offered, hidden: [] };
  const taken = new Set(offered);
  const hidden = tools.filter((tool) => !taken.has(tool));
  return { offered: [...offered, findTool(hidden), callTool(hidden)], hidden };
}

function findTool(hidden: readonly Tool[]): Tool {
  return defineTool({
    name: 'find-mcp-tools',
    kind: 'search',
    description: `Find tools of MCP servers by words of their names and descriptions. ${hidden.length} tools besides those you have can be found and called with call-mcp-tool.`,
    effect: 'talks',
    input: z.strictObject({ words: z.string().min(1).max(200).describe('Words that say what the tool is to do') }),
    prepare: async ({ words }) => ({
      title: `Find tools for ${words}`,
      facts: {},
      run: async () => ({ text: foundText(bestOf(hidden, words)) }),
    }),
  });
}

function callTool(hidden: readonly Tool[]): Tool {
  const byName = new Map(hidden.map((tool) => [tool.name, tool]));
  const input = z.strictObject({
    name: z.string().describe('The name as find-mcp-tools gives it'),
    input: z.record(z.string(), z.unknown()).default({}).describe('The input of that tool'),
  });
  return defineTool({
    name: 'call-mcp-tool',
    kind: 'other',
    description: 'Call a tool that find-mcp-tools has found.',
    effect: 'changes',
    input,
    prepare: async ({ name, input: values }, context) => {
      const tool = byName.get(name);
      if (!tool)
        throw new ToolError(`There is no tool ${name} to be called this way. Look for it with find-mcp-tools.`);
      return tool.prepare(values, context);
    },
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
  return tools
    .map(({ name, description, inputSchema }) => `${name}: ${description}\ninput: ${JSON.stringify(inputSchema)}`)
    .join('\n\n');
}
