import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';

/** True for what a user or the conversation gets to see, so that it cannot be taken back by asking again. */
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
