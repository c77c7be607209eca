import type { ContentBlock } from '@agentwire/protocol';
import type { LanguageModelV3Message } from '@ai-sdk/provider';

type UserMessage = Extract<LanguageModelV3Message, { role: 'user' }>;

/** A prompt as models take it: each block is a part; what is attached is marked as such. */
export function userMessage(prompt: readonly ContentBlock[]): UserMessage {
  return { role: 'user', content: prompt.map((block) => ({ type: 'text', text: textOf(block) })) };
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `<attachment uri=${JSON.stringify(block.uri)} name=${JSON.stringify(block.name)} />`;
    case 'resource':
      return embedded(block.resource);
    default:
      return `<attachment type=${JSON.stringify(block.type)} omitted />`;
  }
}

function embedded(resource: Extract<ContentBlock, { type: 'resource' }>['resource']): string {
  const uri = JSON.stringify(resource.uri);
  return 'text' in resource
    ? `<attachment uri=${uri}>\n${resource.text}\n</attachment>`
    : `<attachment uri=${uri} binary omitted />`;
}
