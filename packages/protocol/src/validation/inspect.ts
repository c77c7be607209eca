import { type Finding, merged, refusal, refused, sound } from './finding.ts';
import { expectedFrom, type Problem } from './problem.ts';
import type * as shapes from './shape.ts';
import type { IntegerShape, Shapes } from './shape.ts';
import { alternatives, integerWithin, memberPath, notAnInteger, oneOf, otherString, typeOf } from './wording.ts';
import { inspectWord, wordCalled } from './words.ts';

type Shape = shapes.Shape<string>;
type FieldShape = shapes.FieldShape<string>;
type ObjectShape = shapes.ObjectShape<string>;
type TaggedShape = shapes.TaggedShape<string>;
type Members = { [name: string]: unknown };

/** A field of an object that is looked at. */
interface Place {
  readonly owner: Members;
  readonly name: string;
  readonly path: string;
  readonly rules: string;
}

/** Of one list, so many bad items are reported one by one. */
const reportedAtMost = 20;

/** Looks for what is wrong with values, by the shapes of one edition of the protocol. */
export class Inspector {
  readonly #shapes: Shapes;

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  /** Looks for what is wrong with a value, and how to repair it. As deep as the shape, however deep the value. */
  inspect(shape: Shape, value: unknown, path: string): Finding {
    if (typeof shape !== 'string') return this.#inspectCompound(shape, value, path);
    const word = wordCalled(shape);
    return word ? inspectWord(word, value, path) : this.inspect(this.#shapes[shape] as Shape, value, path);
  }

  #inspectCompound(shape: Exclude<Shape, string>, value: unknown, path: string): Finding {
    switch (shape[0]) {
      case 'integer':
        return inspectInteger(shape, value, path);
      case 'choice':
        return shape[1].some((known) => known === value) ? sound : refused(path, oneOf(shape[1]), otherString(value));
      case 'nullable':
        return value === null ? sound : this.inspect(shape[1], value, path);
      case 'list':
        return this.#inspectList(shape[1], value, path);
      case 'map':
        return this.#inspectMap(shape[1], value, path);
      case 'anyOf':
        return this.#inspectAnyOf(shape[1], value, path);
      case 'object':
        return this.#inspectObject(shape, value, path);
      case 'tagged':
        return this.#inspectTagged(shape, value, path);
    }
  }

  #inspectList(items: Shape, value: unknown, path: string): Finding {
    if (!Array.isArray(value)) return refused(path, 'a list', typeOf(value));
    return firstRefusalOrAll(value.keys(), (index) => this.inspect(items, value[index], `${path}[${index}]`));
  }

  #inspectMap(items: Shape, value: unknown, path: string): Finding {
    if (!isMembers(value)) return refused(path, 'an object', typeOf(value));
    if (items === 'any') return sound;
    return firstRefusalOrAll(Object.keys(value), (key) => this.inspect(items, value[key], memberPath(path, key)));
  }

  /** The member that needs the least repair wins. */
  #inspectAnyOf(members: readonly Shape[], value: unknown, path: string): Finding {
    const findings = members.map((member) => this.inspect(member, value, path));
    const repairable = findings
      .filter((finding) => !refusal(finding))
      .toSorted((one, other) => one.problems.length - other.problems.length);
    if (repairable[0]) return repairable[0];
    const expected = findings
      .flatMap((finding) => refusal(finding) ?? [])
      .map((problem) => expectedFrom(path, problem));
    return refused(path, alternatives([...new Set(expected)]), typeOf(value));
  }

  #inspectObject([, fields, also]: ObjectShape, value: unknown, path: string): Finding {
    if (!isMembers(value)) return refused(path, 'an object', typeOf(value));
    const own = this.#inspectFields(fields, value, path);
    return also === undefined ? own : merged([own, this.inspect(also, value, path)]);
  }

  #inspectTagged(shape: TaggedShape, value: unknown, path: string): Finding {
    if (!isMembers(value)) return refused(path, 'an object', typeOf(value));
    const [, name, variants, untagged, other] = shape;
    const tag = value[name];
    const variant = typeof tag === 'string' && Object.hasOwn(variants, tag) ? variants[tag] : undefined;
    if (variant !== undefined) return this.inspect(variant, value, path);
    if (untagged && tag === undefined) return this.inspect(untagged, value, path);
    if (untagged && tag === null) return merged([withoutTag(value, name, path), this.inspect(untagged, value, path)]);
    if (other !== undefined && typeof tag === 'string') return this.inspect(other, value, path);
    const expected = other === undefined ? oneOf(Object.keys(variants)) : 'a string';
    return refused(memberPath(path, name), expected, otherString(tag));
  }

  /** Looks at the fields of an object by the rules they have for bad values. */
  #inspectFields(fields: ObjectShape[1], owner: Members, path: string): Finding {
    const look = ([name, [rules, shape]]: [string, FieldShape]): Finding =>
      this.#inspectField({ owner, name, path: memberPath(path, name), rules }, shape);
    return merged(Object.entries(fields).map(look));
  }

  #inspectField(place: Place, shape: Shape): Finding {
    const value = place.owner[place.name];
    const may = (rule: string): boolean => place.rules.includes(rule);
    if (value === undefined) return may('!') ? this.inspect(shape, value, place.path) : sound;
    const finding =
      may('S') && Array.isArray(value)
        ? this.#inspectItems(place, itemsOf(shape), value)
        : this.inspect(shape, value, place.path);
    const problem = refusal(finding);
    return problem && (may('E') || (may('N') && value === null)) ? fallBack(place, problem) : finding;
  }

  /** Drops the bad items of a list. */
  #inspectItems({ owner, name, path }: Place, items: Shape, list: readonly unknown[]): Finding {
    const looks = list.map((item, index) => ({
      item,
      path: `${path}[${index}]`,
      finding: this.inspect(items, item, `${path}[${index}]`),
    }));
    const good = looks.filter(({ finding }) => !refusal(finding));
    const found = merged(good.map(({ finding }) => finding));
    if (good.length === list.length) return found;
    const bad = looks.flatMap((look) => {
      const problem = refusal(look.finding);
      return problem ? [settled(problem, look.path, 'removed')] : [];
    });
    const keepGood = (): unknown => (owner[name] = good.map(({ item }) => item));
    return { problems: [...found.problems, ...summarised(bad, path)], edits: [...found.edits, keepGood] };
  }
}

function inspectInteger([, minimum, maximum = Infinity]: IntegerShape, value: unknown, path: string): Finding {
  const fits = Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
  return fits ? sound : refused(path, integerWithin(minimum, maximum), notAnInteger(value));
}

/** One bad item spoils the whole, so the rest need not be looked at. */
function firstRefusalOrAll<Key>(keys: Iterable<Key>, look: (key: Key) => Finding): Finding {
  const findings: Finding[] = [];
  for (const key of keys) {
    const finding = look(key);
    if (refusal(finding)) return finding;
    if (finding !== sound) findings.push(finding);
  }
  return merged(findings);
}

/** Some serialisers write null for a tag that is not there. */
function withoutTag(value: Members, name: string, path: string): Finding {
  return {
    problems: [{ path: memberPath(path, name), expected: 'a string', received: 'null', action: 'removed' }],
    edits: [() => delete value[name]],
  };
}

/** Puts the default in place of a bad value: an empty list where something is required, else nothing. */
function fallBack({ owner, name, path, rules }: Place, problem: Problem): Finding {
  const isRequired = rules.includes('!');
  const edit = isRequired ? () => (owner[name] = []) : () => delete owner[name];
  return { problems: [settled(problem, path, isRequired ? 'defaulted' : 'removed')], edits: [edit] };
}

function summarised(bad: readonly Problem[], path: string): readonly Problem[] {
  if (bad.length <= reportedAtMost) return bad;
  const left = bad.length - reportedAtMost;
  return [
    ...bad.slice(0, reportedAtMost),
    { path, expected: 'good items', received: `${left} more bad ones`, action: 'removed' },
  ];
}

/** The same problem, made up for further up. */
function settled(problem: Problem, path: string, action: Problem['action']): Problem {
  return { path, expected: expectedFrom(path, problem), received: problem.received, action };
}

function itemsOf(shape: Shape): Shape {
  if (typeof shape === 'string') return 'any';
  if (shape[0] === 'nullable') return itemsOf(shape[1]);
  return shape[0] === 'list' ? shape[1] : 'any';
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
