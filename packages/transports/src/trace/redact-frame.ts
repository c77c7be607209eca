import { redact } from '@agentwire/protocol';
import { redactText } from './redact-text.ts';

/** What of a frame may be written down. */
export interface Redaction {
  /** Whether what the person says is kept. */
  readonly keepPrompts: boolean;
  /** Texts to hide wherever they stand. */
  readonly secrets: readonly string[];
}

const hidden = '[redacted]';
/** Levels of nesting that are looked at; what lies deeper is left out. */
const depth = 100;

/** The message of a frame, or its text if it is not JSON, without what must not be written down. The structure stays, so that it can be replayed. */
export function redactFrame(frame: string, redaction: Redaction): unknown {
  return redactValue(parsed(frame), redaction);
}

/** Any value, treated likewise. */
export function redactValue(value: unknown, redaction: Redaction): unknown {
  return new Redactor(redaction).copy(value, depth);
}

function parsed(frame: string): unknown {
  try {
    return JSON.parse(frame);
  } catch {
    return frame;
  }
}

class Redactor {
  readonly #redaction: Redaction;

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  copy(value: unknown, left: number): unknown {
    if (typeof value === 'string') return redactText(value, this.#redaction.secrets);
    if (typeof value !== 'object' || value === null) return value;
    if (left === 0) return '[deeper]';
    if (Array.isArray(value)) return value.map((item) => this.copy(item, left - 1));
    const isUserText = (value as { sessionUpdate?: unknown }).sessionUpdate === 'user_message_chunk';
    const entries = Object.entries(value).map(([key, each]) => [
      key,
      this.#field(isUserText, { key, value: each, left }),
    ]);
    return Object.fromEntries(entries);
  }

  #field(isUserText: boolean, { key, value, left }: Field): unknown {
    if (key === 'args' && Array.isArray(value)) return this.#words(value);
    // A form asks for `apiKey`, say: the question is no secret, and a form without it could not be shown again.
    if (key === 'requestedSchema') return this.#texts(value, left - 1);
    const isPrompt = key === 'prompt' || (isUserText && key === 'content');
    const isHidden = isPrompt ? !this.#redaction.keepPrompts : isSensitive(key);
    return isHidden ? hollow(value, left - 1) : this.copy(value, left - 1);
  }

  /** The words of a command: what follows `--api-key` is one. */
  #words(words: readonly unknown[]): unknown {
    return words.map((word, index) => {
      const flag = words[index - 1];
      const isValue = typeof flag === 'string' && /^--?[\w-]+$/.test(flag) && isSensitive(flag.replace(/^-+/, ''));
      return isValue ? hidden : this.copy(word, 0);
    });
  }

  #texts(value: unknown, left: number): unknown {
    if (typeof value === 'string') return redactText(value, this.#redaction.secrets);
    if (typeof value !== 'object' || value === null) return value;
    if (left <= 0) return '[deeper]';
    if (Array.isArray(value)) return value.map((item) => this.#texts(item, left - 1));
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#texts(each, left - 1)]));
  }
}

interface Field {
  readonly key: string;
  readonly value: unknown;
  readonly left: number;
}

/** The same shape with nothing in it. Names of variables and headers, and types of blocks, say what was there. */
function hollow(value: unknown, left: number): unknown {
  if (typeof value === 'string') return hidden;
  if (typeof value !== 'object' || value === null) return value;
  if (left <= 0) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => hollow(item, left - 1));
  const isPlain = (key: string): boolean => key === 'type' || (key === 'name' && 'value' in value);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, isPlain(key) ? each : hollow(each, left - 1)]),
  );
}

const known = new Map<string, boolean>();

/** What keys hold secrets is known to the protocol's own redaction; asked once for each key. */
function isSensitive(key: string): boolean {
  const before = known.get(key);
  if (before !== undefined) return before;
  const is = (redact({ [key]: '' }) as { readonly [key: string]: unknown })[key] !== '';
  if (known.size < 1000) known.set(key, is);
  return is;
}
