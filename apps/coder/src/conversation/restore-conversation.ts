import type { LanguageModelV3Message, LanguageModelV3ToolResultPart } from '@ai-sdk/provider';

/**
 * The conversation with the model as it was kept, made whole: a tool call whose result was never kept gets one, since models
 * refuse a conversation with calls left open.
 */
export function restoreConversation(kept: readonly unknown[]): LanguageModelV3Message[] {
  const messages = kept.filter(isMessage);
  return messages.flatMap((message, index) => {
    const missing = message.role === 'assistant' ? openCalls(message, messages[index + 1]) : [];
    return missing.length === 0 ? [message] : [message, { role: 'tool', content: missing }];
  });
}

function openCalls(
  { content }: Extract<LanguageModelV3Message, { role: 'assistant' }>,
  next: LanguageModelV3Message | undefined,
): LanguageModelV3ToolResultPart[] {
  // All results of an answer are kept together.
  if (next?.role === 'tool') return [];
  return content
    .filter((part) => part.type === 'tool-call')
    .map(({ toolCallId, toolName }) => ({
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: 'error-text', value: 'Interrupted: whether it ran is not known.' },
    }));
}

function isMessage(value: unknown): value is LanguageModelV3Message {
  const { role, content } = (value ?? {}) as { readonly role?: unknown; readonly content?: unknown };
  return ['user', 'assistant', 'tool'].includes(role as string) && Array.isArray(content);
}
