import type {
  LanguageModelV3FinishReason,
  LanguageModelV3ReasoningPart,
  LanguageModelV3StreamPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCall,
  LanguageModelV3ToolCallPart,
} from '@ai-sdk/provider';
import type { ProtocolError } from '@agentwire/protocol';

/** What a model answered, as far as it got. */
export interface ModelAnswer {
  /** For the conversation. Holds a part for every tool call. */
  readonly content: readonly (LanguageModelV3TextPart | LanguageModelV3ReasoningPart | LanguageModelV3ToolCallPart)[];
  readonly toolCalls: readonly ModelToolCall[];
  readonly finishReason: LanguageModelV3FinishReason['unified'];
  /** Why the answer is not whole. It calls no tools then. */
  readonly failure?: ProtocolError;
}

/** One tool call of a model. */
export interface ModelToolCall {
  readonly id: string;
  readonly toolName: string;
  /** Its input as the model wrote it: JSON, if all is well. */
  readonly json: string;
}

type Written = { type: 'text' | 'reasoning'; text: string; providerOptions?: ProviderMetadata };
type ProviderMetadata = NonNullable<LanguageModelV3ToolCall['providerMetadata']>;

/** Puts an answer together from the parts a model streams. */
export class AnswerBuilder {
  readonly #content: (Written | LanguageModelV3ToolCallPart)[] = [];
  readonly #written = new Map<string, Written>();
  readonly #toolCalls: ModelToolCall[] = [];
  #finishReason: LanguageModelV3FinishReason['unified'] | undefined;

  /** False while the model has not said that it is done. */
  get isFinished(): boolean {
    return this.#finishReason !== undefined;
  }

  add(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end':
        return this.#write(part);
      case 'tool-call':
        return this.#call(part);
      case 'finish':
        this.#finishReason = part.finishReason.unified;
        return;
      default:
      // Nothing a conversation keeps.
    }
  }

  /** The answer, its model having finished. */
  whole(): ModelAnswer {
    return {
      content: this.#content.filter(isNotEmpty),
      toolCalls: this.#toolCalls,
      finishReason: this.#finishReason ?? 'other',
    };
  }

  /** What there is of the answer. Tool calls are left out: nobody will run them. */
  partial(failure?: ProtocolError): ModelAnswer {
    const content = this.#content.filter((part) => part.type === 'text' && isNotEmpty(part)) as ModelAnswer['content'];
    return { content, toolCalls: [], finishReason: 'other', ...(failure && { failure }) };
  }

  #write(part: Extract<LanguageModelV3StreamPart, { id: string; type: `${'text' | 'reasoning'}-${string}` }>): void {
    const type = part.type.startsWith('text') ? 'text' : 'reasoning';
    const key = `${type} ${part.id}`;
    const written = this.#written.get(key) ?? this.#begin(key, type);
    if ('delta' in part) written.text += part.delta;
    // Signatures and the like, which a provider wants back with the conversation.
    if (part.providerMetadata) written.providerOptions = { ...written.providerOptions, ...part.providerMetadata };
  }

  #begin(key: string, type: Written['type']): Written {
    const written: Written = { type, text: '' };
    this.#written.set(key, written);
    this.#content.push(written);
    return written;
  }

  #call({ toolCallId, toolName, input, providerExecuted, providerMetadata }: LanguageModelV3ToolCall): void {
    if (providerExecuted) return;
    this.#content.push({
      type: 'tool-call',
      toolCallId,
      toolName,
      input: parseOrKeep(input),
      ...(providerMetadata && { providerOptions: providerMetadata }),
    });
    this.#toolCalls.push({ id: toolCallId, toolName, json: input });
  }
}

function isNotEmpty(part: Written | LanguageModelV3ToolCallPart): boolean {
  return part.type === 'tool-call' || part.text !== '' || part.providerOptions !== undefined;
}

// Providers take any JSON back; what was none goes back as the text it was.
function parseOrKeep(json: string): unknown {
  try {
    return JSON.parse(json === '' ? '{}' : json);
  } catch {
    return json;
  }
}
