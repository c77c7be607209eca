import definitions from './definitions.json' with { type: 'json' };
import definitionsOfVersion2 from './definitions-v2.json' with { type: 'json' };
import { describe, type Edition, type Problem, repairAs } from '@turnwire/protocol';
import type { CheckedVersion, RequirementId, Subject } from '../../requirements/requirement.ts';
import { type Definition, definitionOf, methodRow } from '../definition-of.ts';
import type { Part, StrayTag } from '../dissect.ts';
import type { Frame } from '../frame.ts';
import { type Rule, rule, type RuleContext } from '../rule.ts';
import { isOtherTag } from './other-editions.ts';

type Table = { readonly [name in Definition]?: RequirementId };

/** The requirement for each schema type, by version. Types without an entry fall under the general requirement about valid messages. */
const tables = { 1: definitions, 2: definitionsOfVersion2 } as unknown as Readonly<
  Record<CheckedVersion, Readonly<Record<Subject | 'both', Table>>>
>;

/** Every message matches the schema of its method. One rule per side, because the two send different messages. */
export const schema: readonly Rule[] = [schemaRule('agent', 1, 'R009'), schemaRule('client', 1, 'R010')];

/** The same in version 2. */
export const schemaOfVersion2: readonly Rule[] = [schemaRule('agent', 2, 'V112'), schemaRule('client', 2, 'V112')];

function schemaRule(side: Subject, version: CheckedVersion, general: RequirementId): Rule {
  const table: Table = { ...tables[version].both, ...tables[version][side] };
  return rule(
    side,
    [general, ...new Set(Object.values(table)), ...(side === 'client' && version === 1 ? (['R097'] as const) : [])],
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
    const isMisdirected = frame.kind !== 'answer' && methodRow(frame.edition, frame.method)?.side === frame.from;
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
function isMistaken({ kind, method, edition }: Frame): boolean {
  const isAsked = methodRow(edition, method)?.result !== undefined;
  return (kind === 'request' && !isAsked) || (kind === 'notification' && isAsked);
}

function isSound({ value, kind, edition }: Frame, definition: Definition): boolean {
  const isValid = (each: unknown): boolean => edition.checks[definition]?.(each) === true;
  // For empty results the documentation of version 1 shows null, and its schema has an empty object.
  return isValid(value) || (edition.protocolVersion === 1 && value === null && kind === 'answer' && isValid({}));
}

/** Reports the innermost invalid parts, each under the requirement of the closest enclosing type. */
function blame(frame: Frame, definition: Definition, { table, general, context }: Judging): void {
  const { checks } = frame.edition;
  const wrong = frame.dissection.parts.filter(({ type, value }) => checks[type]?.(value) === false);
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
    for (const problem of problemsOf(frame.edition, part)) {
      const requirement =
        /^additionalDirectories\b/.test(problem.path) && context.judged === 'client' && context.version === 1
          ? 'R097'
          : around && table[around.type];
      context.broken(requirement ?? general, `${where}: ${describe([problem])}`, frame);
    }
  }
}

function problemsOf({ shapes }: Edition, { type, value }: Part): readonly Problem[] {
  // The path rules report relative paths.
  return repairAs(type, structuredClone(value), shapes).problems.filter(
    ({ received }) => received !== 'a relative path',
  );
}

function isWithin(path: string, owner: string): boolean {
  return owner === '' || path === owner || path.startsWith(`${owner}.`) || path.startsWith(`${owner}[`);
}
