import { redact, redactText } from '@turnwire/protocol';

/** Options for hiding parts of frames. */
export interface Redaction {
  /** Whether to keep the texts of the user. */
  readonly keepPrompts: boolean;
  /** Texts to hide wherever they occur. */
  readonly secrets: readonly string[];
}

const hidden = '[redacted]';
/** Maximum nesting depth; deeper values are left out. */
const depth = 100;
/** Keys shorter than this cannot look like a secret. */
const shortestKey = 16;
/** In truncated JSON it is unknown where variables and prompts end, so everything after them is hidden. */
const tail = /(\\{0,16}"(?:env|headers)\\{0,16}"\s*:\s*)\S[^]*/i;
const tailWithPrompt = /(\\{0,16}"(?:env|headers|prompt)\\{0,16}"\s*:\s*|"user_message(?:_chunk)?\\{0,16}")\S[^]*/i;

/** Parses and redacts a frame; text that is not JSON stays a text. The structure remains, so that the frame can be replayed. */
export function redactFrame(frame: string, redaction: Redaction): unknown {
  return redactValue(parsed(frame), redaction);
}

/** Redacts any value in the same way. */
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
    if (typeof value === 'string') return this.#text(value, left);
    if (typeof value !== 'object' || value === null) return value;
    if (left === 0) return '[deeper]';
    if (Array.isArray(value)) return value.map((item) => this.copy(item, left - 1));
    const owner = { userKey: userTextKeyIn(value), outputKey: outputKeyIn(value) };
    const entries = Object.entries(value).map(([key, each]) => [
      this.#key(key),
      this.#field(owner, { key, value: each, left }),
    ]);
    return Object.fromEntries(entries);
  }

  #field({ userKey, outputKey }: Owner, { key, value, left }: Field): unknown {
    if ((key === 'args' || key === 'command') && Array.isArray(value)) return this.#args(value, left);
    // A form may ask for an `apiKey`: the question is not a secret, and a form without it could not be replayed.
    if (key === 'requestedSchema') return this.#texts(value, left - 1);
    if (key === outputKey) return this.#bytes(String(value));
    const isUserText = key === 'prompt' || key === userKey;
    const isHidden = (isUserText && !this.#redaction.keepPrompts) || (key !== 'prompt' && isSensitive(key));
    return isHidden ? hollow(value, left - 1) : this.copy(value, left - 1);
  }

  /** Keys may contain secrets as well. */
  #key(key: string): string {
    return key.length < shortestKey && this.#redaction.secrets.length === 0
      ? key
      : redactText(key, this.#redaction.secrets);
  }

  /** Texts may contain JSON, as arguments and output of tools often do. A text without anything to hide is unchanged. */
  #text(text: string, left: number): unknown {
    const { keepPrompts, secrets } = this.#redaction;
    if (!/^\s*[[{]/.test(text)) return redactText(text, secrets);
    const value = parsed(text);
    if (typeof value === 'string')
      return redactText(text.replace(keepPrompts ? tail : tailWithPrompt, `$1${hidden}`), secrets);
    const copy = left > 0 ? JSON.stringify(this.copy(value, left - 1)) : '[deeper]';
    return redactText(copy === JSON.stringify(value) ? text : copy, secrets);
  }

  /** Redacts the output of a terminal, which version 2 of the protocol sends as base64. */
  #bytes(data: string): string {
    try {
      const text = atob(data);
      const copy = redactText(text, this.#redaction.secrets);
      return copy === text ? data : btoa(copy);
    } catch {
      return hidden;
    }
  }

  /** Redacts the arguments of a command, such as the value after `--api-key`. */
  #args(args: readonly unknown[], left: number): unknown {
    return args.map((arg, index) => (isValueOf(args[index - 1], arg) ? hidden : this.copy(arg, left - 1)));
  }

  #texts(value: unknown, left: number): unknown {
    if (typeof value === 'string') return redactText(value, this.#redaction.secrets);
    if (typeof value !== 'object' || value === null) return value;
    if (left <= 0) return '[deeper]';
    if (Array.isArray(value)) return value.map((item) => this.#texts(item, left - 1));
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#texts(each, left - 1)]));
  }
}

/** Whether an argument is a secret because of the flag before it. */
function isValueOf(flag: unknown, arg: unknown): boolean {
  if (typeof flag !== 'string' || typeof arg !== 'string') return false;
  if (/^(?:-u|--user)$/.test(flag)) return arg.includes(':');
  return /^--?[\w-]+$/.test(flag) && isSensitive(flag.replace(/^-+/, ''));
}

/** Facts about the object around a field. */
interface Owner {
  /** The key of the user's text, if it has one. */
  readonly userKey: string | undefined;
  /** The key of output of a terminal, in base64, if there is some. */
  readonly outputKey: string | undefined;
}

interface Field {
  readonly key: string;
  readonly value: unknown;
  readonly left: number;
}

/** The key of an object that holds what the user says, or a title derived from it. */
function userTextKeyIn(value: object): string | undefined {
  const { sessionUpdate, action, sessionId } = value as Readonly<Record<string, unknown>>;
  if (/^user_message(?:_chunk)?$/.test(String(sessionUpdate)) || action === 'accept') return 'content';
  return sessionUpdate === 'session_info_update' || sessionId !== undefined ? 'title' : undefined;
}

/** The key of the bytes in `terminal_output_chunk`, and in the `output` of `terminal_update`, which has only its data and `_meta`. */
function outputKeyIn(value: object): string | undefined {
  const { sessionUpdate, data } = value as { readonly sessionUpdate?: unknown; readonly data?: unknown };
  const isOutput = Object.keys(value).every((key) => key === 'data' || key === '_meta');
  return typeof data === 'string' && (isOutput || sessionUpdate === 'terminal_output_chunk') ? 'data' : undefined;
}

/** Hides all texts in a value but keeps its structure. Names of variables and headers, and types of blocks, remain. */
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

/** Whether the protocol's redaction hides this key; cached per key. */
function isSensitive(key: string): boolean {
  // A replay would have only one prompt if all had the same key.
  if (key === 'idempotencyKey') return false;
  const before = known.get(key);
  if (before !== undefined) return before;
  const is = (redact({ [key]: '' }) as { readonly [key: string]: unknown })[key] !== '';
  if (known.size < 1000) known.set(key, is);
  return is;
}
