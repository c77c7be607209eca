import definitions from './definitions.json' with { type: 'json' };
import { checks, describe, type Problem, repair } from '@turnwire/protocol';
import type { RequirementId, Subject } from '../../requirements/requirement.ts';
import { type Definition, definitionOf, methodRow } from '../definition-of.ts';
import type { Part } from '../dissect.ts';
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
  const definition = definitionOf(frame);
  if (definition === undefined) {
    if (isMisdirected(frame)) context.broken(general, `${frame.method} is for the other side to send`, frame);
    return;
  }
  if (isMistaken(frame))
    return context.broken(general, `${frame.method} is a ${otherKind(frame)}, and was sent as a ${frame.kind}`, frame);
  if (frame.kind === 'answer' && !frame.isSuccess) return;
  if (!isSound(frame, definition)) return blame(frame, definition, judging);
  context.held(general);
  for (const { type } of frame.dissection.parts) {
    const requirement = table[type];
    if (requirement !== undefined) context.held(requirement);
  }
}

function isMisdirected({ kind, method, from }: Frame): boolean {
  const row = methodRow(method);
  return kind !== 'answer' && row !== undefined && row.side === from;
}

/** A notification with an id, or a request without. */
function isMistaken({ kind, method }: Frame): boolean {
  const isAsked = methodRow(method)?.result !== undefined;
  return (kind === 'request' && !isAsked) || (kind === 'notification' && isAsked);
}

function otherKind({ kind }: Frame): string {
  return kind === 'request' ? 'notification' : 'request';
}

function isSound(frame: Frame, definition: Definition): boolean {
  const value = valueOf(frame);
  // Where there is nothing to send, the documentation has null and the schema has an empty object.
  return checks[definition](value) || (value === null && frame.kind === 'answer' && checks[definition]({}));
}

function valueOf(frame: Frame): unknown {
  return frame.kind === 'answer' ? frame.message?.['result'] : (frame.message?.['params'] ?? {});
}

/** Blames the innermost parts that are wrong, each by the requirement that is nearest around it. */
function blame(frame: Frame, definition: Definition, { table, general, context }: Judging): void {
  const wrong = frame.dissection.parts.filter(({ type, value }) => !checks[type](value));
  const whole: Part = { type: definition, value: valueOf(frame), path: '' };
  const parts = wrong.length === 0 ? [whole] : wrong;
  for (const part of parts.filter((each, place) => isInnermost(each, parts.slice(place + 1)))) {
    if (isOfAnotherEdition(frame, part)) continue;
    const around = parts.filter((each) => isWithin(part.path, each.path) && table[each.type] !== undefined).at(-1);
    for (const problem of problemsOf(part)) {
      const requirement =
        /^additionalDirectories\b/.test(problem.path) && context.judged === 'client'
          ? 'R097'
          : around && table[around.type];
      context.broken(requirement ?? general, `${placeOf(frame, part)}: ${describe([problem])}`, frame);
    }
  }
}

/** A variant of a draft, or a custom one: neither is a fault. */
function isOfAnotherEdition({ dissection }: Frame, { path }: Part): boolean {
  return dissection.strayTags.some((stray) => stray.path === `${path}.type` && isEverTag(stray.tag));
}

/** Parts stand in the order in which they were found: from the outside to the inside. */
function isInnermost(part: Part, later: readonly Part[]): boolean {
  return !later.some(({ path }) => isWithin(path, part.path));
}

function problemsOf({ type, value }: Part): readonly Problem[] {
  // Relative paths are reported by the rules about paths.
  return repair(type, structuredClone(value)).problems.filter(({ received }) => received !== 'a relative path');
}

function placeOf({ kind, method }: Frame, { path }: Part): string {
  return `${method}${kind === 'answer' ? ' answer' : ''}${path === '' ? '' : `, ${path}`}`;
}

function isWithin(path: string, owner: string): boolean {
  return owner === '' || path === owner || path.startsWith(`${owner}.`) || path.startsWith(`${owner}[`);
}
