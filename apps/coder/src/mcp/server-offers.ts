import { z } from 'zod';

/** A tool as its server describes it. */
export interface OfferedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Whatever the server says; nothing about it is certain. */
  readonly inputSchema?: unknown;
  readonly annotations?: ToolHints | undefined;
}

/** What a server says its tool does. Hints: nobody has checked them. */
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

/** What a server has. */
export interface ServerOffers {
  readonly tools: readonly OfferedTool[];
  readonly prompts: readonly OfferedPrompt[];
  readonly resources: readonly OfferedResource[];
  /** Addresses with gaps to fill in, in `uri`. */
  readonly templates: readonly OfferedResource[];
  /** Sentences about what had to be left out. */
  readonly warnings: readonly string[];
}

export const nothingOffered: ServerOffers = { tools: [], prompts: [], resources: [], templates: [], warnings: [] };

// What does not look as it should is left out field by field: one crooked description must not cost the others.
const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const name = z.string().min(1);

/** How each kind of thing has to look at the least. */
export const offerShapes: {
  readonly tool: z.ZodType<OfferedTool>;
  readonly prompt: z.ZodType<OfferedPrompt>;
  readonly resource: z.ZodType<OfferedResource>;
  readonly template: z.ZodType<OfferedResource>;
} = {
  tool: z.object({
    name,
    title: text,
    description: text,
    inputSchema: z.unknown().optional(),
    annotations: z.object({ title: text, readOnlyHint: flag, openWorldHint: flag }).optional().catch(undefined),
  }),
  prompt: z.object({
    name,
    title: text,
    description: text,
    arguments: z
      .array(z.object({ name, description: text, required: flag }))
      .optional()
      .catch(undefined),
  }),
  resource: z.object({ uri: name, name: z.string().catch(''), title: text, description: text, mimeType: text }),
  template: z
    .object({ uriTemplate: name, name: z.string().catch(''), title: text, description: text, mimeType: text })
    .transform(({ uriTemplate, ...rest }) => ({ uri: uriTemplate, ...rest })),
};
