import type { LanguageModelV3ToolResultOutput } from '@ai-sdk/provider';
import type { ToolResult } from '../tools/tool.ts';

/** A tool's result, as models accept it. */
export function resultOutput({ text, images = [] }: ToolResult): LanguageModelV3ToolResultOutput {
  if (images.length === 0) return { type: 'text', value: text };
  return {
    type: 'content',
    value: [
      { type: 'text', text },
      ...images.map(({ data, mimeType }) => ({ type: 'image-data' as const, data, mediaType: mimeType })),
    ],
  };
}
