import type { Tool } from '../tools/tool.ts';
import { chooseTools } from './offered-tools.ts';
import { readResourceTool } from './read-resource.ts';
import type { ServerLink } from './server-link.ts';
import { serverTool } from './server-tool.ts';
import { ToolNames } from './tool-names.ts';

const mostFound = 50;

/** The context of a session's server tools. */
interface ServerToolsParts {
  /** The most tools the model is offered at once. */
  readonly most: number;
  /** The current servers. */
  readonly links: () => readonly ServerLink[];
  /** A warning for the user, once. */
  readonly warn: (warning: string) => void;
}

/** The tools of a session's servers, as the model is offered them: listed on demand, and again after a change. */
export class ServerTools {
  readonly #parts: ServerToolsParts;
  /** Names of the tools the model found, the latest last. */
  readonly #found = new Set<string>();
  #list: readonly Tool[] | undefined;
  #reportedHidden = 0;

  constructor(parts: ServerToolsParts) {
    this.#parts = parts;
  }

  /** The tools, named `server__tool`, and those for resources and tool search. Warns about tools that are left out. */
  list(): readonly Tool[] {
    this.#list ??= this.#parts.links().length === 0 ? [] : this.#make();
    return this.#list;
  }

  /** Discards the list after a change of the servers. */
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
    this.#warnAboutHidden(tools.length, hidden.length);
    const resources = readResourceTool(usable);
    return resources ? [...offered, resources] : offered;
  }

  /** The tools the model found last are always offered. */
  #remember(tools: readonly Tool[]): void {
    for (const { name } of tools) {
      this.#found.delete(name);
      this.#found.add(name);
    }
    for (const name of [...this.#found].slice(0, -mostFound)) this.#found.delete(name);
    this.forget();
  }

  #warnAboutHidden(all: number, hidden: number): void {
    if (hidden > this.#reportedHidden)
      this.#parts.warn(
        `The MCP servers have ${all} tools. The model is offered ${all - hidden} of them and can search for the others with find-mcp-tools. To offer others, remove servers from the configuration or change their order.`,
      );
    this.#reportedHidden = hidden;
  }
}
