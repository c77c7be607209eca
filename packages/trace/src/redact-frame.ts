import { redact, redactText } from '@turnwire/protocol';

/** What of a frame may be written down. */
export interface Redaction {
  /** Whether what the user says is kept. */
  readonly keepPrompts: boolean;
  /** Texts to hide wherever they stand. */
  readonly secrets: readonly string[];
}

const hidden = '[redacted]';
/** Levels of nesting that are looked at; what lies deeper is left out. */
const depth = 100;
/** Names of members shorter than this hold nothing that looks like a key. */
const shortestKey = 16;
/** In JSON that is cut off it is not known where the variables and the prompt end. */
const tail = /(\\{0,16}"(?:env|headers)\\{0,16}"\s*:\s*)\S[^]*/i;
const tailWithPrompt = /(\\{0,16}"(?:env|headers|prompt)\\{0,16}"\s*:\s*|"user_message_chunk\\{0,16}")\S[^]*/i;

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
    if (typeof value === 'string') return this.#text(value, left);
    if (typeof value !== 'object' || value === null) return value;
    if (left === 0) return '[deeper]';
    if (Array.isArray(value)) return value.map((item) => this.copy(item, left - 1));
    const said = saidIn(value);
    const entries = Object.entries(value).map(([key, each]) => [
      this.#key(key),
      this.#field(said, { key, value: each, left }),
    ]);
    return Object.fromEntries(entries);
  }

  #field(said: string | undefined, { key, value, left }: Field): unknown {
    if ((key === 'args' || key === 'command') && Array.isArray(value)) return this.#words(value, left);
    // A form asks for `apiKey`, say: the question is no secret, and a form without it could not be shown again.
    if (key === 'requestedSchema') return this.#texts(value, left - 1);
    const isSaid = key === 'prompt' || key === said;
    const isHidden = (isSaid && !this.#redaction.keepPrompts) || (key !== 'prompt' && isSensitive(key));
    return isHidden ? hollow(value, left - 1) : this.copy(value, left - 1);
  }

  /** A name may be a secret, too. */
  #key(key: string): string {
    return key.length < shortestKey && this.#redaction.secrets.length === 0
      ? key
      : redactText(key, this.#redaction.secrets);
  }

  /** A text may be JSON: what tools are given and what they print often is. It stays as it is unless there is something to hide. */
  #text(text: string, left: number): unknown {
    const { keepPrompts, secrets } = this.#redaction;
    if (!/^\s*[[{]/.test(text)) return redactText(text, secrets);
    const value = parsed(text);
    if (typeof value === 'string')
      return redactText(text.replace(keepPrompts ? tail : tailWithPrompt, `$1${hidden}`), secrets);
    const copy = left > 0 ? JSON.stringify(this.copy(value, left - 1)) : '[deeper]';
    return redactText(copy === JSON.stringify(value) ? text : copy, secrets);
  }

  /** The words of a command: what follows `--api-key` is one. */
  #words(words: readonly unknown[], left: number): unknown {
    return words.map((word, index) => (isValueOf(words[index - 1], word) ? hidden : this.copy(word, left - 1)));
  }

  #texts(value: unknown, left: number): unknown {
    if (typeof value === 'string') return redactText(value, this.#redaction.secrets);
    if (typeof value !== 'object' || value === null) return value;
    if (left <= 0) return '[deeper]';
    if (Array.isArray(value)) return value.map((item) => this.#texts(item, left - 1));
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#texts(each, left - 1)]));
  }
}

/** Whether a word is a secret because of the one before it. */
function isValueOf(flag: unknown, word: unknown): boolean {
  if (typeof flag !== 'string' || typeof word !== 'string') return false;
  if (/^(?:-u|--user)$/.test(flag)) return word.includes(':');
  return /^--?[\w-]+$/.test(flag) && isSensitive(flag.replace(/^-+/, ''));
}

interface Field {
  readonly key: string;
  readonly value: unknown;
  readonly left: number;
}

/** Which member of an object holds what the user says, or a title made of it. */
function saidIn(value: object): string | undefined {
  const { sessionUpdate, action, sessionId } = value as Readonly<Record<string, unknown>>;
  if (sessionUpdate === 'user_message_chunk' || action === 'accept') return 'content';
  return sessionUpdate === 'session_info_update' || sessionId !== undefined ? 'title' : undefined;
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
