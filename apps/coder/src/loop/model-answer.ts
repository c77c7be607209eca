import type { ToolReport } from '@turnwire/agent';
import type {
  LanguageModelV3FinishReason,
  LanguageModelV3ReasoningPart,
  LanguageModelV3StreamPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCall,
  LanguageModelV3ToolCallPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import type { ModelFailure } from '../model/model-failure.ts';
import { parseInput } from './parse-input.ts';

/** A model's answer, complete or not. */
export interface ModelAnswer {
  /** For the conversation. It includes a part for every tool call. */
  readonly content: readonly (LanguageModelV3TextPart | LanguageModelV3ReasoningPart | LanguageModelV3ToolCallPart)[];
  readonly toolCalls: readonly ModelToolCall[];
  readonly finishReason: LanguageModelV3FinishReason['unified'];
  /** Absent if the answer broke off. */
  readonly usage?: LanguageModelV3Usage | undefined;
  /** Why the answer is incomplete. An incomplete answer has no tool calls. */
  readonly failure?: ModelFailure;
  /** Whether the user saw any of it. */
  readonly isSeen: boolean;
}

/** One tool call of a model. */
export interface ModelToolCall {
  readonly id: string;
  readonly toolName: string;
  /** Its input as the model wrote it: normally JSON. */
  readonly json: string;
  /** The call as the user sees it. */
  readonly report: ToolReport;
}

type Written = { type: 'text' | 'reasoning'; text: string; providerOptions?: ProviderMetadata };
type ProviderMetadata = NonNullable<LanguageModelV3ToolCall['providerMetadata']>;

/** Builds an answer from the parts a model streams. */
export class AnswerBuilder {
  readonly #content: (Written | LanguageModelV3ToolCallPart)[] = [];
  readonly #written = new Map<string, Written>();
  readonly #toolCalls: ModelToolCall[] = [];
  #finish: Extract<LanguageModelV3StreamPart, { type: 'finish' }> | undefined;

  add(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end':
        return this.#write(part);
      case 'finish':
        this.#finish = part;
        return;
      default:
      // Other parts are not stored. Tool calls are added by `call`, with their reports.
    }
  }

  /** Adds a complete tool call. */
  call({ toolCallId, toolName, input, providerMetadata }: LanguageModelV3ToolCall, report: ToolReport): void {
    // A result belongs to one call, but some servers give every call the same id, or none.
    const isNew = toolCallId !== '' && this.#toolCalls.every(({ id }) => id !== toolCallId);
    const id = isNew ? toolCallId : `call-${crypto.randomUUID()}`;
    this.#content.push({
      type: 'tool-call',
      toolCallId: id,
      toolName,
      input: asObject(input),
      ...(providerMetadata && { providerOptions: providerMetadata }),
    });
    this.#toolCalls.push({ id, toolName, json: input, report });
  }

  /** The complete answer. */
  whole(): ModelAnswer {
    return {
      content: this.#content.filter(isNotEmpty),
      toolCalls: this.#toolCalls,
      finishReason: this.#finish?.finishReason.unified ?? 'other',
      usage: this.#finish?.usage,
      isSeen: this.#content.some(isNotEmpty),
    };
  }

  /** The incomplete answer. Tool calls are left out, because they will not run. */
  partial(isSeen: boolean, failure?: ModelFailure): ModelAnswer {
    // Without the provider's metadata, which would describe a complete text.
    const content = this.#content.flatMap((part) =>
      part.type === 'text' && part.text.trim() !== '' ? [{ type: 'text' as const, text: part.text }] : [],
    );
    return {
      content,
      toolCalls: [],
      finishReason: 'other',
      isSeen: isSeen || content.length > 0,
      ...(failure && { failure }),
    };
  }

  #write(part: Extract<LanguageModelV3StreamPart, { id: string; type: `${'text' | 'reasoning'}-${string}` }>): void {
    const type = part.type.startsWith('text') ? 'text' : 'reasoning';
    const key = `${type} ${part.id}`;
    let written = this.#written.get(key);
    if (written === undefined) {
      written = { type, text: '' };
      this.#written.set(key, written);
      this.#content.push(written);
    }
    if ('delta' in part) written.text += part.delta;
    // Signatures and other metadata that a provider requires back with the conversation.
    if (part.providerMetadata) written.providerOptions = { ...written.providerOptions, ...part.providerMetadata };
    // Some servers reuse an id for the next text.
    if (part.type.endsWith('-end')) this.#written.delete(key);
  }
}

function isNotEmpty(part: Written | LanguageModelV3ToolCallPart): boolean {
  return part.type === 'tool-call' || part.text !== '' || part.providerOptions !== undefined;
}

// Providers accept only objects as input in the conversation, even if their models wrote something else.
function asObject(json: string): object {
  try {
    const input = parseInput(json);
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { input };
  } catch {
    return { unreadable: json };
  }
}
