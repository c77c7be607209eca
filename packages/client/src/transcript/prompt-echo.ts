import type { ContentBlock } from '@turnwire/protocol';

/** The state of a repetition of the prompt by the agent. Some agents send the prompt back as user chunks, whole or in parts. */
export interface PromptEcho {
  readonly blocks: readonly ContentBlock[];
  /** All texts of the prompt, concatenated. */
  readonly text: string;
  /** How much of the text was repeated. */
  readonly position: number;
}

/** Whether a chunk repeats the prompt, or is new. */
export type EchoMatch =
  | { readonly isEcho: true; readonly echo: PromptEcho }
  /** `taken`: text that looked like a repetition but is new, to be shown before the chunk. */
  | { readonly isEcho: false; readonly taken: string };

export function expectEcho(blocks: readonly ContentBlock[]): PromptEcho {
  return { blocks, text: blocks.map((block) => textOf(block) ?? '').join(''), position: 0 };
}

export function matchEcho(echo: PromptEcho, block: ContentBlock): EchoMatch {
  const text = textOf(block);
  if (text === undefined) return isAmong(echo.blocks, block) ? { isEcho: true, echo } : different(echo);
  const position = endOfMatch(echo, text);
  return position === undefined ? different(echo) : { isEcho: true, echo: { ...echo, position } };
}

/** The end of a repetition. Agents may join texts with additional line breaks, and omit surrounding spaces. */
function endOfMatch({ text, position }: PromptEcho, chunk: string): number | undefined {
  if (text.startsWith(chunk, position)) return position + chunk.length;
  const trimmed = chunk.trim();
  const from = position + leadingSpace(text, position);
  return text.startsWith(trimmed, from) ? from + trimmed.length : undefined;
}

function leadingSpace(text: string, position: number): number {
  const rest = /\S/g;
  rest.lastIndex = position;
  return (rest.exec(text)?.index ?? text.length) - position;
}

function different({ text, position }: PromptEcho): EchoMatch {
  const isWhole = position >= text.trimEnd().length;
  return { isEcho: false, taken: isWhole ? '' : text.slice(0, position) };
}

function textOf(block: ContentBlock): string | undefined {
  return block.type === 'text' ? block.text : undefined;
}

function isAmong(blocks: readonly ContentBlock[], block: ContentBlock): boolean {
  return blocks.some((each) => each.type === block.type && identity(each) === identity(block));
}

/** The value that identifies a block, without the additions of the agent. */
function identity(block: ContentBlock): unknown {
  switch (block.type) {
    case 'resource_link':
      return block.uri;
    case 'resource':
      return block.resource.uri;
    case 'image':
    case 'audio':
      return block.data;
    default:
      return JSON.stringify(block);
  }
}
