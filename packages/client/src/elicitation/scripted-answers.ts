import type { ElicitationContentValue } from '@turnwire/protocol';

/** The questions that an answer is for. Absent fields match everything. */
export interface ScriptedMatch {
  /** A part of the agent's message. */
  readonly message?: string;
  /** The name of a field in the form. */
  readonly key?: string;
  /** The beginning of the address to visit. */
  readonly url?: string;
}

/** A prepared answer for matching questions. */
export interface ScriptedAnswer {
  /** Default: every question. */
  readonly match?: ScriptedMatch;
  readonly action: 'accept' | 'decline' | 'cancel';
  /** Values by field; missing fields get the agent's default. */
  readonly content?: Readonly<Record<string, ElicitationContentValue>>;
}

/** Answers in order: the first match counts, any number of times. Or values by field name for all forms. */
export type ScriptedAnswers = readonly ScriptedAnswer[] | Readonly<Record<string, ElicitationContentValue>>;

/**
 * Validates the content of an answer file.
 * @throws Error with a sentence that names the location of the problem
 */
export function readScriptedAnswers(json: unknown): ScriptedAnswers {
  if (Array.isArray(json)) return json.map((answer, index) => readAnswer(answer, `answer ${index + 1}`));
  if (!isObject(json))
    throw new Error('Prepared answers must be a list of answers, or an object with values by field name');
  return readContent(json, 'the answers');
}

const actions: readonly unknown[] = ['accept', 'decline', 'cancel'];

function readAnswer(answer: unknown, location: string): ScriptedAnswer {
  if (!isObject(answer)) throw new Error(`${location} must be an object`);
  const { match, action, content } = answer;
  if (!actions.includes(action)) throw new Error(`${location} must have an action: "accept", "decline" or "cancel"`);
  return {
    action: action as ScriptedAnswer['action'],
    ...(match !== undefined && { match: readMatch(match, `${location}, match`) }),
    ...(content !== undefined && { content: readContent(content, `${location}, content`) }),
  };
}

function readMatch(match: unknown, location: string): ScriptedMatch {
  const keys: readonly string[] = ['message', 'key', 'url'];
  const isRight =
    isObject(match) && Object.entries(match).every(([key, value]) => keys.includes(key) && typeof value === 'string');
  if (!isRight) throw new Error(`${location} must be an object of texts: "message", "key" or "url"`);
  return match;
}

function readContent(content: unknown, location: string): Readonly<Record<string, ElicitationContentValue>> {
  if (!isObject(content)) throw new Error(`${location} must be an object with values by field name`);
  const wrong = Object.entries(content).find(([, value]) => !isContentValue(value));
  if (wrong) throw new Error(`${location}: "${wrong[0]}" must be a text, a number, true, false or a list of texts`);
  return content as Readonly<Record<string, ElicitationContentValue>>;
}

function isContentValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
