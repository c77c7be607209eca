import type { RequirementId } from '../../requirements/requirement.ts';
import { type Definition, methodRow } from '../definition-of.ts';
import type { Frame } from '../frame.ts';
import { type Rule, rule, type RuleContext } from '../rule.ts';
import { otherMethods, isOtherKey, isOtherTag } from './other-editions.ts';

/** A method outside of the protocol begins with an underscore, and the side that uses it announces it in the _meta of its capabilities. */
export const methodNames: Rule = rule('both', ['R283', 'R286'], (frame, { judged, facts, held, broken, check }) => {
  if (frame.kind !== 'request' && frame.kind !== 'notification') return;
  const { method } = frame;
  if (methodRow(frame.edition, method) !== undefined || otherMethods.has(method) || method.startsWith('$/')) return;
  if (!method.startsWith('_')) return broken('R283', `${method} is not a method of the protocol`, frame);
  held('R283');
  if (!(judged === 'agent' ? facts.isAgentKnown : facts.isClientKnown)) return;
  const fault =
    !JSON.stringify(facts.capability(judged, '') ?? null).includes('"_meta":') &&
    `${method} was used, but no _meta in the capabilities announces it`;
  check('R286', fault, frame);
});

/** Keys are camelCase, tags are snake_case, and everything outside of the protocol is in _meta. */
export const keysAndTags: Rule = rule('both', ['R026', 'R188', 'R233', 'R280'], (frame, context) => {
  judgeKeys(frame, context);
  judgeTags(frame, context);
});

function judgeKeys(frame: Frame, { held, broken }: RuleContext): void {
  const { parts, strayKeys } = frame.dissection;
  for (const { type, key, known } of strayKeys) {
    const meant = known.find((each) => each !== key && isSameWord(each, key));
    if (meant !== undefined) broken('R026', `${type} has the key ${key} instead of ${meant}`, frame);
    else if (!isOtherKey(type, key))
      broken('R280', `${type} has the key ${key}, which the protocol does not define`, frame);
  }
  if (parts.length === 0 || strayKeys.length > 0) return;
  held('R026');
  held('R280');
}

/** The requirements about variants of specific unions. For all others the general requirement about valid messages applies. */
const ofVariants: { readonly [type in Definition]?: RequirementId } = {
  ToolCallContent: 'R188',
  ContentBlock: 'R233',
  IdleStateUpdate: 'V047',
};

function judgeTags(frame: Frame, { judged, version, broken }: RuleContext): void {
  const ofVersion1 = judged === 'agent' ? 'R009' : 'R010';
  const general = version === 2 ? 'V113' : ofVersion1;
  for (const { type, tag, path, known } of frame.dissection.strayTags) {
    const meant = known.find((each) => isSameWord(each, tag));
    const requirement = type === undefined ? general : (ofVariants[type] ?? general);
    if (meant !== undefined) broken('R026', `${path} is ${tag} instead of ${meant}`, frame);
    else if (!isOtherTag(tag)) broken(requirement, `${path} is ${tag}, which the protocol does not define`, frame);
  }
}

/** Whether two names differ only in spelling, such as `tool_call_id` and `toolCallId`. */
function isSameWord(one: string, other: string): boolean {
  const [bare, otherBare] = [one, other].map((word) => word.replaceAll(/[_-]/g, '').toLowerCase());
  return bare === otherBare;
}

/** The values of traceparent, tracestate and baggage in _meta follow W3C trace context. */
export const traceContext: Rule = rule('both', ['R282'], (frame, { check }) => {
  const text = frame.entry.text;
  if (frame.message === undefined || !/"(?:traceparent|tracestate|baggage)"/.test(text)) return;
  for (const [key, value] of traceValues(frame.message)) {
    const isGood =
      typeof value === 'string' &&
      (key !== 'traceparent' || /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}/.test(value));
    check('R282', !isGood && `_meta.${key} does not follow W3C trace context`, frame);
  }
});

const reserved = ['traceparent', 'tracestate', 'baggage'];

function traceValues(message: { readonly [key: string]: unknown }): readonly (readonly [string, unknown])[] {
  return ['params', 'result'].flatMap((key) => {
    const owner = message[key] as { _meta?: Record<string, unknown> | null } | null | undefined;
    return Object.entries(owner?._meta ?? {}).filter(([name]) => reserved.includes(name));
  });
}
