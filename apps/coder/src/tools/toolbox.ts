import { askTool } from './ask.ts';
import { deleteTool } from './delete.ts';
import { editTool } from './edit.ts';
import { executeTool } from './execute.ts';
import { fetchTool } from './fetch.ts';
import { listTool } from './list.ts';
import { moveTool } from './move.ts';
import { planTool } from './plan.ts';
import { readTool } from './read.ts';
import { searchTool } from './search.ts';
import { switchModeTool } from './switch-mode.ts';
import type { Tool } from './tool.ts';
import { writeTool } from './write.ts';

/** All tools of the agent, by name. */
export const toolbox: ReadonlyMap<string, Tool> = new Map(
  [
    readTool,
    listTool,
    searchTool,
    writeTool,
    editTool,
    deleteTool,
    moveTool,
    executeTool,
    planTool,
    switchModeTool,
    fetchTool,
    askTool,
  ].map((tool) => [tool.name, tool]),
);
