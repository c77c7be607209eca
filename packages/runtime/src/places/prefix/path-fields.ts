import type { Shape, Shapes } from '@turnwire/protocol';

/** What a field contains: an absolute path, a URI, or a patch of git with absolute paths. */
export type PathKind = 'path' | 'uri' | 'patch';

/** A field of a message, or an item of a list, that contains {@link PathKind}. */
export interface PathField {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
  readonly kind: PathKind;
}

/** Finds every field of a value that the schema defines as a path, by the shapes of an edition. */
export function pathFields(definition: string, value: unknown, shapes: Shapes): readonly PathField[] {
  const visitor = new Visitor(shapes);
  visitor.visit(definition, value, '');
  return visitor.found;
}

class Visitor {
  readonly found: PathField[] = [];
  readonly #shapes: Shapes;

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  /** @param owner the innermost definition around the value */
  visit(shape: Shape<string>, value: unknown, owner: string): void {
    if (value === null || typeof value !== 'object') return;
    if (typeof shape === 'string') {
      const named = this.#shapes[shape];
      if (named !== undefined) this.visit(named, value, shape);
      return;
    }
    // Only the cast distinguishes an object of fields from a list.
    if (!Array.isArray(shape)) return this.#visitFields(shape as FieldsOf, value, owner);
    const [form, ...rest] = shape as readonly [string, ...unknown[]];
    if (form === 'list' || form === 'map') {
      for (const item of Object.values(value)) this.visit(rest[0] as Shape<string>, item, owner);
    } else if (form === 'when') this.visit(rest[1] as Shape<string>, value, owner);
    else if (form === 'anyOf')
      for (const member of rest[0] as readonly Shape<string>[]) this.visit(member, value, owner);
    else if (form === 'both') {
      this.#visitFields(rest[0] as FieldsOf, value, owner);
      this.visit(rest[1] as Shape<string>, value, owner);
    } else if (form === 'tagged') this.#visitVariant(rest, value, owner);
  }

  #visitVariant([tag, variants, untagged, other]: readonly unknown[], value: object, owner: string): void {
    const named = (value as Readonly<Record<string, unknown>>)[tag as string];
    const all = variants as Readonly<Record<string, Shape<string>>>;
    const known = typeof named === 'string' && Object.hasOwn(all, named) ? all[named] : undefined;
    const shape = known ?? (named === undefined ? untagged : other);
    if (shape !== undefined && shape !== null) this.visit(shape as Shape<string>, value, owner);
  }

  #visitFields(fields: FieldsOf, value: object, owner: string): void {
    const holder = value as Record<string, unknown>;
    for (const [key, [, shape]] of Object.entries(fields)) {
      if (!Object.hasOwn(holder, key)) continue;
      const kind = kindOf(owner, key, shape, holder);
      const held = holder[key];
      if (kind === undefined) this.visit(shape, held, owner);
      else if (typeof held === 'string') this.#add({ holder, key, kind });
      else if (Array.isArray(held))
        for (const [at, item] of held.entries())
          if (typeof item === 'string') this.#add({ holder: held as unknown as PathField['holder'], key: at, kind });
    }
  }

  /** Several members of a union may have the same field. */
  #add(field: PathField): void {
    if (!this.found.some(({ holder, key }) => holder === field.holder && key === field.key)) this.found.push(field);
  }
}

type FieldsOf = Readonly<Record<string, readonly [rules: string, Shape<string>]>>;

/** Names of fields with paths that are only shown: their shape is that of any text, because a relative path is shown too. */
const shown: ReadonlySet<string> = new Set(['path', 'oldPath', 'cwd', 'additionalDirectories']);

function kindOf(owner: string, key: string, shape: Shape<string>, holder: object): PathKind | undefined {
  if (shape === 'path' || (Array.isArray(shape) && shape[0] === 'list' && shape[1] === 'path')) return 'path';
  if (shown.has(key) || (owner === 'McpServerStdio' && key === 'command')) return 'path';
  if (key === 'uri') return 'uri';
  return owner === 'DiffPatch' && key === 'text' && 'format' in holder && holder.format === 'git_patch'
    ? 'patch'
    : undefined;
}
