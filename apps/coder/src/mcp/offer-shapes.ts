import { z } from 'zod';
import type { OfferedPrompt, OfferedResource, OfferedTool } from './server-offers.ts';

// Invalid fields are left out one by one: a wrong description must not cost the whole list.
const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const name = z.string().min(1);

/** The least each kind of item must have. */
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
