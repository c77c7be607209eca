import type { Shape, Shapes } from '@turnwire/protocol';

/** The content of a field: an absolute path, a URI, or a patch of git with absolute paths. */
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
    } else if (Array.isArray(shape)) this.#visitForm(shape as Form, value, owner);
    else this.#visitFields(shape as FieldsOf, value, owner);
  }

  #visitForm([form, ...rest]: Form, value: object, owner: string): void {
    const visit = (shape: unknown, inner: unknown = value): void => this.visit(shape as Shape<string>, inner, owner);
    switch (form) {
      case 'list':
      case 'map':
        return Object.values(value).forEach((item) => visit(rest[0], item));
      case 'when':
        return visit(rest[1]);
      case 'anyOf':
        return (rest[0] as readonly unknown[]).forEach((member) => visit(member));
      case 'both':
        return rest.forEach((part) => visit(part));
      case 'tagged':
        return this.#visitVariant(rest, value, owner);
    }
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
      const kind = kindOf({ owner, key, shape }, holder);
      const held = holder[key];
      if (kind === undefined) this.visit(shape, held, owner);
      else if (typeof held === 'string') this.#add({ holder, key, kind });
      else if (Array.isArray(held)) this.#addItems(held, kind);
    }
  }

  #addItems(items: readonly unknown[], kind: PathKind): void {
    const holder = items as unknown as PathField['holder'];
    for (const [key, item] of items.entries()) if (typeof item === 'string') this.#add({ holder, key, kind });
  }

  /** Several members of a union may have the same field. */
  #add(field: PathField): void {
    if (!this.found.some(({ holder, key }) => holder === field.holder && key === field.key)) this.found.push(field);
  }
}

/** A shape other than a name or the fields of an object. */
type Form = readonly [form: string, ...rest: unknown[]];
type FieldsOf = Readonly<Record<string, readonly [rules: string, Shape<string>]>>;

/** Names of fields with paths that are only shown: their shape is that of any text, because a relative path is shown too. */
const shown: ReadonlySet<string> = new Set(['path', 'oldPath', 'cwd', 'additionalDirectories']);

interface Field {
  readonly owner: string;
  readonly key: string;
  readonly shape: Shape<string>;
}

function kindOf({ owner, key, shape }: Field, holder: Readonly<Record<string, unknown>>): PathKind | undefined {
  const checked = Array.isArray(shape) && shape[0] === 'list' ? (shape[1] as unknown) : shape;
  if (checked === 'path' || shown.has(key)) return 'path';
  if (key === 'uri') return 'uri';
  switch (`${owner}.${key}`) {
    case 'McpServerStdio.command':
      return 'path';
    case 'DiffPatch.text':
      return holder['format'] === 'git_patch' ? 'patch' : undefined;
    default:
      return undefined;
  }
}
