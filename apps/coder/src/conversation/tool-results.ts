import type {
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import type { ConversationMessage } from './kept-conversation.ts';

type ToolMessage = Extract<ConversationMessage, { role: 'tool' }>;

const interrupted = 'Interrupted: it is unknown whether it ran.';

/** The tool calls of the last message, whose results models expect next. */
export function openCalls(messages: readonly ConversationMessage[]): readonly LanguageModelV3ToolCallPart[] {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? last.content.filter((part) => part.type === 'tool-call') : [];
}

/** One result for each call, in their order: the existing ones, and an error for each missing one. Undefined if nothing was called. */
export function resultsFor(
  calls: readonly LanguageModelV3ToolCallPart[],
  { content }: Pick<ToolMessage, 'content'> = { content: [] },
): ToolMessage | undefined {
  if (calls.length === 0) return undefined;
  const results = content.filter((part) => part.type === 'tool-result');
  return {
    role: 'tool',
    content: calls.map((call) => results.find((result) => result.toolCallId === call.toolCallId) ?? missing(call)),
  };
}

function missing({ toolCallId, toolName }: LanguageModelV3ToolCallPart): LanguageModelV3ToolResultPart {
  return { type: 'tool-result', toolCallId, toolName, output: { type: 'error-text', value: interrupted } };
}

const longest = 2_000;
const cut = '[Cut to save space: call the tool again if you need this.]';

/** The messages, with long tool results before an index cut. The same array if nothing changes. */
export function trimResults(messages: readonly ConversationMessage[], before: number): readonly ConversationMessage[] {
  const trimmed = messages.map((message, index) =>
    index < before && message.role === 'tool' ? trim(message) : message,
  );
  return trimmed.some((message, index) => message !== messages[index]) ? trimmed : messages;
}

function trim(message: ToolMessage): ToolMessage {
  const content = message.content.map((part) => {
    const output = part.type === 'tool-result' ? shortened(part.output) : undefined;
    return output === undefined ? part : { ...(part as LanguageModelV3ToolResultPart), output };
  });
  return content.some((part, index) => part !== message.content[index]) ? { ...message, content } : message;
}

/** Undefined if it is short enough. */
function shortened(output: LanguageModelV3ToolResultOutput): LanguageModelV3ToolResultOutput | undefined {
  if (output.type === 'execution-denied') return undefined;
  if (output.type !== 'text' && output.type !== 'error-text')
    return JSON.stringify(output.value).length > longest ? { type: 'text', value: cut } : undefined;
  if (output.value.length <= longest) return undefined;
  return { ...output, value: `${output.value.slice(0, longest / 2)}\n${cut}` };
}
