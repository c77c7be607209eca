import type { ContentBlock } from '@turnwire/protocol';
import { z } from 'zod';

/** The contents of a resource: text, or bytes in base64. */
export type ResourceContents = {
  readonly uri: string;
  readonly mimeType?: string | null | undefined;
} & ({ readonly text: string } | { readonly blob: string });

/** The schemas are built with the first result: most sessions have no server. */
function makeShapes() {
  const annotated = { annotations: z.unknown().optional(), _meta: z.unknown().optional() };
  const contents: z.ZodType<ResourceContents> = z.union([
    z.object({ uri: z.string(), mimeType: z.string().nullish(), text: z.string() }),
    z.object({ uri: z.string(), mimeType: z.string().nullish(), blob: z.string() }),
  ]);

  const block = z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string(), ...annotated }),
    z.object({
      type: z.literal('image'),
      data: z.string(),
      mimeType: z.string(),
      uri: z.string().nullish(),
      ...annotated,
    }),
    z.object({ type: z.literal('audio'), data: z.string(), mimeType: z.string(), ...annotated }),
    z.object({
      type: z.literal('resource_link'),
      uri: z.string(),
      name: z.string(),
      title: z.string().nullish(),
      description: z.string().nullish(),
      mimeType: z.string().nullish(),
      size: z.number().int().nullish(),
      ...annotated,
    }),
    z.object({ type: z.literal('resource'), resource: contents, ...annotated }),
  ]);
  return { block, contents };
}

let made: ReturnType<typeof makeShapes> | undefined;
const shapes = () => (made ??= makeShapes());

/** A content block that MCP and ACP share. Undefined: an unknown one. */
export function readBlock(value: unknown): ContentBlock | undefined {
  const read = shapes().block.safeParse(value);
  // The client checks annotations, and leaves out invalid ones.
  return read.success ? (read.data as ContentBlock) : undefined;
}

/** An item of a resource's contents. Undefined: neither text nor bytes. */
export function readContents(value: unknown): ResourceContents | undefined {
  const read = shapes().contents.safeParse(value);
  return read.success ? read.data : undefined;
}
