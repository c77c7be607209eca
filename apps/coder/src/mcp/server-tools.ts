import type { Tool } from '../tools/tool.ts';
import { chooseTools } from './offered-tools.ts';
import { readResourceTool } from './read-resource.ts';
import type { ServerLink } from './server-link.ts';
import { serverTool } from './server-tool.ts';
import { ToolNames } from './tool-names.ts';

const mostFound = 50;

/** What the tools of a session's servers are listed from. */
interface ServerToolsParts {
  /** Tools the model is offered at once. */
  readonly most: number;
  /** The servers there are at the moment. */
  readonly links: () => readonly ServerLink[];
  /** Something to tell the user, once. */
  readonly tell: (warning: string) => void;
}

/** The tools of the servers of a session, as its model is offered them: listed when they are asked for, and anew when something changed. */
export class ServerTools {
  readonly #parts: ServerToolsParts;
  /** Names of those the model looked for, the latest last. */
  readonly #found = new Set<string>();
  #list: readonly Tool[] | undefined;
  #hiddenTold = 0;

  constructor(parts: ServerToolsParts) {
    this.#parts = parts;
  }

  /** Each named for its server, `server__tool`, and those that reach what else there is. What had to be left out is told. */
  list(): readonly Tool[] {
    this.#list ??= this.#make();
    return this.#list;
  }

  /** The servers have others now. */
  forget(): void {
    this.#list = undefined;
  }

  #make(): readonly Tool[] {
    const names = new ToolNames();
    const usable = this.#parts.links().filter(({ state }) => state.is === 'connected' || state.is === 'lost');
    const tools = usable.flatMap((link) =>
      link.offers.tools.map((tool) => serverTool(names.name(link.name, tool.name), { link, tool })),
    );
    const { offered, hidden } = chooseTools(tools, {
      most: this.#parts.most,
      found: this.#found,
      remember: (found) => this.#remember(found),
    });
    this.#tellHidden(tools.length, hidden.length);
    const resources = readResourceTool(usable);
    return resources ? [...offered, resources] : offered;
  }

  /** What the model looked for last stays offered. */
  #remember(tools: readonly Tool[]): void {
    for (const { name } of tools) {
      this.#found.delete(name);
      this.#found.add(name);
    }
    for (const name of [...this.#found].slice(0, -mostFound)) this.#found.delete(name);
    this.forget();
  }

  #tellHidden(all: number, hidden: number): void {
    if (hidden > this.#hiddenTold)
      this.#parts.tell(
        `The MCP servers have ${all} tools. The model is offered ${all - hidden} of them and can look for the others with find-mcp-tools. To have others offered, take servers out of the configuration or put them in another order.`,
      );
    this.#hiddenTold = hidden;
  }
}
