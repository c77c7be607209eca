import { isObject } from '../json-rpc/json-object.ts';
import { below, type Finding, merged, refusal, refused, sound } from './finding.ts';
import { expectedAt, type Problem } from './problem.ts';
import type * as shapes from './shape.ts';
import type { FieldShapes, IntegerShape, Shapes } from './shape.ts';
import { alternatives, integerWithin, notAnInteger, oneOf, otherString, pathBelow, typeOf } from './wording.ts';
import { inspectWord, words } from './words.ts';

type Shape = shapes.Shape<string>;
type Fields = FieldShapes<string>;
type TaggedShape = shapes.TaggedShape<string>;
type Members = { [name: string]: unknown };

/** A field of an inspected object. */
interface Place {
  readonly owner: Members;
  readonly name: string;
  readonly rules: string;
}

/** Bad items of one list that are reported individually. */
const reportedAtMost = 20;

/** Finds mistakes in values by the shapes of one edition. For a value without mistakes it allocates nothing. */
export class Inspector {
  readonly #shapes: Shapes;

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  /** Finds mistakes in a value, and how to repair them. The depth of the shape bounds the recursion, not that of the value. */
  inspect(shape: Shape, value: unknown): Finding {
    if (typeof shape === 'string') {
      const word = words.get(shape);
      return word ? inspectWord(word, value) : this.inspect(this.#shapes[shape] as Shape, value);
    }
    return isList(shape) ? this.#inspectCompound(shape, value) : this.#inspectObject(shape, value);
  }

  #inspectCompound(shape: Exclude<Shape, string | Fields>, value: unknown): Finding {
    switch (shape[0]) {
      case 'integer':
        return inspectInteger(shape, value);
      case 'choice':
        return shape[1].some((known) => known === value) ? sound : refused(oneOf(shape[1]), otherString(value));
      case 'list':
        if (!Array.isArray(value)) return refused('a list', typeOf(value));
        return firstRefusalOrAll(value.keys(), (index) => this.inspect(shape[1], value[index]));
      case 'map':
        return this.#inspectMap(shape[1], value);
      case 'anyOf':
        return this.#inspectAnyOf(shape[1], value);
      case 'when':
        return shape[1].fits(value) ? this.inspect(shape[2], value) : inspectWord(shape[1], value);
      case 'both':
        return merged([this.#inspectObject(shape[1], value), this.inspect(shape[2], value)]);
      case 'tagged':
        return this.#inspectTagged(shape, value);
    }
  }

  #inspectMap(items: Shape, value: unknown): Finding {
    if (!isObject(value)) return refused('an object', typeOf(value));
    if (items === 'any') return sound;
    return firstRefusalOrAll(Object.keys(value), (key) => this.inspect(items, value[key]));
  }

  /** The member that needs the least repair wins. */
  #inspectAnyOf(members: readonly Shape[], value: unknown): Finding {
    const findings = members.map((member) => this.inspect(member, value));
    const repairable = findings
      .filter((finding) => !refusal(finding))
      .toSorted((one, other) => one.problems.length - other.problems.length);
    if (repairable[0]) return repairable[0];
    const expected = findings.flatMap((finding) => refusal(finding) ?? []).map(expectedAt);
    return refused(alternatives([...new Set(expected)]), typeOf(value));
  }

  #inspectTagged([, name, variants, untagged, other, badTag]: TaggedShape, value: unknown): Finding {
    if (!isObject(value)) return refused('an object', typeOf(value));
    const tag = value[name];
    if (typeof tag === 'string') {
      const variant = Object.hasOwn(variants, tag) ? variants[tag] : other;
      if (variant !== undefined) return this.inspect(variant, value);
    } else if (untagged) {
      if (tag === undefined) return this.inspect(untagged, value);
      if (tag === null || badTag) return merged([withoutTag(value, name), this.inspect(untagged, value)]);
    }
    const expected = other === undefined ? oneOf(Object.keys(variants)) : 'a string';
    return below(name, refused(expected, otherString(tag)));
  }

  /** Inspects the fields of an object by their rules for bad values. */
  #inspectObject(fields: Fields, object: unknown): Finding {
    if (!isObject(object)) return refused('an object', typeOf(object));
    const owner: Members = object;
    const findings: Finding[] = [];
    for (const name in fields) {
      const [rules, shape] = fields[name] as shapes.FieldShape<string>;
      const value = owner[name];
      if (value === undefined ? !rules.includes('!') : value === null && rules.includes('?')) continue;
      const finding =
        Array.isArray(value) && rules.includes('S')
          ? this.#inspectItems(shape, value, (good) => (owner[name] = good))
          : this.inspect(shape, value);
      if (finding !== sound) findings.push(below(name, orDefault(finding, { owner, name, rules })));
    }
    return merged(findings);
  }

  /** Drops the bad items of a list. */
  #inspectItems(shape: Shape, list: readonly unknown[], keep: (good: readonly unknown[]) => void): Finding {
    const items = isList(shape) && shape[0] === 'list' ? shape[1] : 'any';
    const good: unknown[] = [];
    const findings: Finding[] = [];
    const bad: Problem[] = [];
    for (const [index, item] of list.entries()) {
      const finding = this.inspect(items, item);
      const problem = refusal(finding);
      if (problem) bad.push({ ...settled(problem, 'removed'), path: pathBelow(index, '') });
      else good.push(item);
      if (!problem && finding !== sound) findings.push(below(index, finding));
    }
    if (bad.length > 0) findings.push({ problems: summarised(bad), edits: [() => keep(good)] });
    return merged(findings);
  }
}

function inspectInteger([, minimum, maximum = Infinity]: IntegerShape, value: unknown): Finding {
  const fits = Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
  return fits ? sound : refused(integerWithin(minimum, maximum), notAnInteger(value));
}

/** One refused item refuses all of them, so the others are not inspected. */
function firstRefusalOrAll<Key extends string | number>(keys: Iterable<Key>, look: (key: Key) => Finding): Finding {
  const findings: Finding[] = [];
  for (const key of keys) {
    const finding = look(key);
    if (finding === sound) continue;
    if (refusal(finding)) return below(key, finding);
    findings.push(below(key, finding));
  }
  return merged(findings);
}

/** Some serialisers write null for a tag that is not there. */
function withoutTag(value: Members, name: string): Finding {
  return below(name, {
    problems: [{ path: '', expected: 'a string', received: typeOf(value[name]), action: 'removed' }],
    edits: [() => delete value[name]],
  });
}

/** Puts the default in place of a bad value, if its rules say so: an empty list where something is required, else nothing. */
function orDefault(finding: Finding, { owner, name, rules }: Place): Finding {
  const problem = refusal(finding);
  const value = owner[name];
  const may = value !== undefined && (rules.includes('E') || (value === null && rules.includes('N')));
  if (!problem || !may) return finding;
  const isRequired = rules.includes('!');
  const edit = isRequired ? () => (owner[name] = []) : () => delete owner[name];
  return { problems: [settled(problem, isRequired ? 'defaulted' : 'removed')], edits: [edit] };
}

function summarised(bad: readonly Problem[]): readonly Problem[] {
  const left = bad.length - reportedAtMost;
  if (left <= 0) return bad;
  const rest: Problem = { path: '', expected: 'good items', received: `${left} more bad ones`, action: 'removed' };
  return [...bad.slice(0, reportedAtMost), rest];
}

/** The same problem, made up for further up. */
function settled(problem: Problem, action: Problem['action']): Problem {
  return { path: '', expected: expectedAt(problem), received: problem.received, action };
}

/** Fields are the one shape that is neither a word nor a list. */
function isList(shape: Shape): shape is Exclude<Shape, string | Fields> {
  return Array.isArray(shape);
}
