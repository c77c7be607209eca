/** A tool as its server describes it. */
export interface OfferedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** The server's own data, unchecked. */
  readonly inputSchema?: unknown;
  readonly annotations?: ToolHints | undefined;
}

/** The server's hints about its tool, unchecked. */
interface ToolHints {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

/** A prompt as its server describes it. */
export interface OfferedPrompt {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly arguments?: readonly PromptArgument[] | undefined;
}

/** An argument of a prompt. */
export interface PromptArgument {
  readonly name: string;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
}

/** A resource, or with `uriTemplate` a family of them, as its server describes it. */
export interface OfferedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** The tools, prompts and resources of a server. */
export interface ServerOffers {
  readonly tools: readonly OfferedTool[];
  readonly prompts: readonly OfferedPrompt[];
  readonly resources: readonly OfferedResource[];
  /** Addresses with placeholders, in `uri`. */
  readonly templates: readonly OfferedResource[];
  /** Warnings about entries that were left out, as sentences. */
  readonly warnings: readonly string[];
}

export const nothingOffered: ServerOffers = { tools: [], prompts: [], resources: [], templates: [], warnings: [] };
