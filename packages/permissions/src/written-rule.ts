import type { GivenRule } from './permissions.ts';

/** The forms of a rule in JSON, for error messages. */
export const ruleForm = 'rules: texts, or objects with "rule" and perhaps "message" and "child", all of them texts';

const keys = ['rule', 'child', 'message'];

/** Reads a rule in JSON: a text, or an object with the text, and perhaps a message and the name of a subagent. Undefined: it is neither. */
export function writtenRule(value: unknown): Omit<GivenRule, 'effect'> | undefined {
  if (typeof value === 'string') return { text: value };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { rule: text, message, child } = value as Readonly<Record<string, unknown>>;
  const areTexts = Object.entries(value).every(([key, each]) => keys.includes(key) && typeof each === 'string');
  if (!areTexts || typeof text !== 'string') return undefined;
  return { text, ...(typeof message === 'string' && { message }), ...(typeof child === 'string' && { child }) };
}

/** The maximum number of characters of each text of a rule. Users do not write more. */
const longestText = 2_000;

/** Says which text of a rule is too long, and its length. Undefined: none is. */
export function lengthProblem({ text, message = '', child = '' }: GivenRule): string | undefined {
  const texts = [
    ['a rule', text],
    ['the message of a rule', message],
    ['the name of the subagents of a rule', child],
  ] as const;
  const [what, { length } = ''] = texts.find(([, each]) => each.length > longestText) ?? [];
  return what && `${what} has ${length} characters, but at most ${longestText} are supported`;
}

/** Whether two rules match the same actions with the same effect. */
export function isSameRule(one: GivenRule, other: GivenRule): boolean {
  return one.effect === other.effect && one.text === other.text && one.child === other.child;
}
