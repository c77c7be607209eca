import { estimateTokenCount, sliceByTokens } from 'tokenx';
import type { ConversationMessage } from '../conversation/kept-conversation.ts';

const longestResult = 2_000;
const longestInput = 1_000;

/**
 * A conversation as text, for a model that summarises it. Long results are cut, and so is the middle if the whole is too long.
 * @param budget tokens it may take
 */
export function transcript(messages: readonly ConversationMessage[], budget: number): string {
  const text = messages.flatMap(({ role, content }) => content.map((part) => `${partText(role, part)}`)).join('\n\n');
  const tokens = estimateTokenCount(text);
  if (tokens <= budget) return text;
  // The beginning has the task, or the earlier summary.
  const head = Math.floor(budget / 4);
  return `${sliceByTokens(text, 0, head)}\n\n[…]\n\n${sliceByTokens(text, tokens - (budget - head))}`;
}

type Part = ConversationMessage['content'][number];

function partText(role: ConversationMessage['role'], part: Part): string {
  switch (part.type) {
    case 'text':
      return `[${role === 'user' ? 'User' : 'Agent'}]\n${part.text}`;
    case 'reasoning':
      return `[Agent thinks]\n${cut(part.text, longestInput)}`;
    case 'tool-call':
      return `[Agent calls ${part.toolName}]\n${cut(JSON.stringify(part.input), longestInput)}`;
    case 'tool-result':
      return `[Result of ${part.toolName}]\n${cut(resultText(part), longestResult)}`;
    case 'file':
      return `[Attached: a file of type ${part.mediaType}]`;
    default:
      return '';
  }
}

function resultText({ output }: Extract<Part, { type: 'tool-result' }>): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'execution-denied':
      return output.reason ?? 'Refused.';
    case 'content':
      return output.value.map((item) => (item.type === 'text' ? item.text : `(${item.type})`)).join('\n');
    default:
      return JSON.stringify(output.value);
  }
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)} […]`;
}
