import definitions from './definitions.json' with { type: 'json' };
import { checks, describe, type Problem, repair } from '@turnwire/protocol';
import type { RequirementId, Subject } from '../../requirements/requirement.ts';
import { type Definition, definitionOf, methodRow } from '../definition-of.ts';
import type { Part, StrayTag } from '../dissect.ts';
import type { Frame } from '../frame.ts';
import { type Rule, rule, type RuleContext } from '../rule.ts';
import { isOtherTag } from './other-editions.ts';

type Table = { readonly [name in Definition]?: RequirementId };

/**
 * The requirement for each schema type. Types without an entry fall under the general requirement about valid messages: R009 for agents,
 * R010 for clients.
 */
const tables = definitions as Readonly<Record<Subject | 'both', Table>>;

/** Every message matches the schema of its method. One rule per side, because the two send different messages. */
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
    if (isMisdirected) context.broken(general, `${frame.method} may only be sent by the other side`, frame);
    return;
  }
  const other = frame.kind === 'request' ? 'notification' : 'request';
  if (isMistaken(frame))
    return context.broken(general, `${frame.method} is a ${other} but was sent as a ${frame.kind}`, frame);
  if (frame.kind === 'answer' && !frame.isSuccess) return;
  if (!isSound(frame, definition)) return blame(frame, definition, judging);
  context.held(general);
  for (const { type } of frame.dissection.parts) {
    const requirement = table[type];
    if (requirement !== undefined) context.held(requirement);
  }
}

/** Whether a notification has an id, or a request has none. */
function isMistaken({ kind, method }: Frame): boolean {
  const isAsked = methodRow(method)?.result !== undefined;
  return (kind === 'request' && !isAsked) || (kind === 'notification' && isAsked);
}

function isSound(frame: Frame, definition: Definition): boolean {
  const { value } = frame;
  // For empty results the documentation shows null, and the schema has an empty object.
  return checks[definition](value) || (value === null && frame.kind === 'answer' && checks[definition]({}));
}

/** Reports the innermost invalid parts, each under the requirement of the closest enclosing type. */
function blame(frame: Frame, definition: Definition, { table, general, context }: Judging): void {
  const wrong = frame.dissection.parts.filter(({ type, value }) => !checks[type](value));
  const whole: Part = { type: definition, value: frame.value, path: '' };
  const parts = wrong.length === 0 ? [whole] : wrong;
  // Parts are ordered from the outside to the inside.
  const isInnermost = ({ path: outer }: Part, index: number): boolean =>
    !parts.slice(index + 1).some(({ path }) => isWithin(path, outer));
  for (const part of parts.filter(isInnermost)) {
    // A custom variant, or one of a draft, is not a fault.
    const isStray = ({ path, tag }: StrayTag): boolean => path === `${part.path}.type` && isOtherTag(tag);
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
  // The path rules report relative paths.
  return repair(type, structuredClone(value)).problems.filter(({ received }) => received !== 'a relative path');
}

function isWithin(path: string, owner: string): boolean {
  return owner === '' || path === owner || path.startsWith(`${owner}.`) || path.startsWith(`${owner}[`);
}
