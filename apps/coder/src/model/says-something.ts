import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';

/** Whether the user or the conversation gets to see a part, so that a retry could not undo it. */
export function saysSomething(part: LanguageModelV3StreamPart): boolean {
  switch (part.type) {
    case 'stream-start':
    case 'response-metadata':
    case 'text-start':
    case 'reasoning-start':
    case 'raw':
      return false;
    case 'text-delta':
    case 'reasoning-delta':
      return part.delta !== '';
    default:
      return true;
  }
}
