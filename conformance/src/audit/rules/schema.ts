import definitions from './definitions.json' with { type: 'json' };
import { checks, describe, type Problem, repair } from '@turnwire/protocol';
import type { RequirementId, Subject } from '../../requirements/requirement.ts';
import { type Definition, definitionOf, methodRow } from '../definition-of.ts';
import type { Part, StrayTag } from '../dissect.ts';
import type { Frame } from '../frame.ts';
import { type Rule, rule, type RuleContext } from '../rule.ts';
import { isEverTag } from './other-editions.ts';

type Table = { readonly [name in Definition]?: RequirementId };

/** Which requirement says how a definition looks. What is not there is a matter of valid messages in general: R009 and R010. */
const tables = definitions as Readonly<Record<Subject | 'both', Table>>;

/** Every message fits the schema of its method: a rule for each side, since each says other things. */
export const schema: readonly Rule[] = [schemaRule('agent', 'R009'), schemaRule('client', 'R010')];

function schemaRule(side: Subject, general: RequirementId): Rule {
  const table: Table = { ...tables.both, ...tables[side] };
  return rule(
    side,
    [general, ...new Set(Object.values(table)), ...(side === 'client' ? (['R097'] as const) : [])],
    (frame, context) => {
      if (frame.kind !== 'other') judge(frame, { table, general, context });
    },
  );
}

interface Judging {
  readonly table: Table;
  readonly general: RequirementId;
  readonly context: RuleContext;
}

function judge(frame: Frame, judging: Judging): void {
  const { table, general, context } = judging;
  const definition = definitionOf(frame.from, frame.kind, frame.method);
  if (definition === undefined) {
    const isMisdirected = frame.kind !== 'answer' && methodRow(frame.method)?.side === frame.from;
    if (isMisdirected) context.broken(general, `${frame.method} is for the other side to send`, frame);
    return;
  }
  const other = frame.kind === 'request' ? 'notification' : 'request';
  if (isMistaken(frame))
    return context.broken(general, `${frame.method} is a ${other}, and was sent as a ${frame.kind}`, frame);
  if (frame.kind === 'answer' && !frame.isSuccess) return;
  if (!isSound(frame, definition)) return blame(frame, definition, judging);
  context.held(general);
  for (const { type } of frame.dissection.parts) {
    const requirement = table[type];
    if (requirement !== undefined) context.held(requirement);
  }
}

/** A notification with an id, or a request without. */
function isMistaken({ kind, method }: Frame): boolean {
  const isAsked = methodRow(method)?.result !== undefined;
  return (kind === 'request' && !isAsked) || (kind === 'notification' && isAsked);
}

function isSound(frame: Frame, definition: Definition): boolean {
  const { value } = frame;
  // Where there is nothing to send, the documentation has null and the schema has an empty object.
  return checks[definition](value) || (value === null && frame.kind === 'answer' && checks[definition]({}));
}

/** Blames the innermost parts that are wrong, each by the requirement that is nearest around it. */
function blame(frame: Frame, definition: Definition, { table, general, context }: Judging): void {
  const wrong = frame.dissection.parts.filter(({ type, value }) => !checks[type](value));
  const whole: Part = { type: definition, value: frame.value, path: '' };
  const parts = wrong.length === 0 ? [whole] : wrong;
  // Parts stand in the order in which they were found: from the outside to the inside.
  const isInnermost = ({ path: outer }: Part, place: number): boolean =>
    !parts.slice(place + 1).some(({ path }) => isWithin(path, outer));
  for (const part of parts.filter(isInnermost)) {
    // A variant of a draft, or a custom one: neither is a fault.
    const isStray = ({ path, tag }: StrayTag): boolean => path === `${part.path}.type` && isEverTag(tag);
    if (frame.dissection.strayTags.some(isStray)) continue;
    const around = parts.filter((each) => isWithin(part.path, each.path) && table[each.type] !== undefined).at(-1);
    const where = `${frame.method}${frame.kind === 'answer' ? ' answer' : ''}${part.path === '' ? '' : `, ${part.path}`}`;
    for (const problem of problemsOf(part)) {
      const requirement =
        /^additionalDirectories\b/.test(problem.path) && context.judged === 'client'
          ? 'R097'
          : around && table[around.type];
      context.broken(requirement ?? general, `${where}: ${describe([problem])}`, frame);
    }
  }
}

function problemsOf({ type, value }: Part): readonly Problem[] {
  // Relative paths are reported by the rules about paths.
  return repair(type, structuredClone(value)).problems.filter(({ received }) => received !== 'a relative path');
}

function isWithin(path: string, owner: string): boolean {
  return owner === '' || path === owner || path.startsWith(`${owner}.`) || path.startsWith(`${owner}[`);
}
