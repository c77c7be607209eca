import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type MethodRow, v1 } from '@turnwire/protocol';
import { v1Unstable } from '@turnwire/protocol/unstable';
import { v2 } from '@turnwire/protocol/v2';
import { v2Unstable } from '@turnwire/protocol/v2/unstable';
import { expect, test } from 'vitest';
import { MappedMessages } from '../../src/places/prefix/mapped-transport.ts';
import { PathMapping } from '../../src/places/prefix/path-mapping.ts';

/** A part of an official JSON Schema. */
interface Node {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly allOf?: readonly Node[];
}
type Definitions = Readonly<Record<string, Node>>;
type Kind = 'path' | 'uri' | 'patch';

const mapping = new PathMapping([{ here: '/home/me/project', there: '/code' }]);
const reversed = new PathMapping([{ here: '/code', there: '/home/me/project' }]);
/** A text that is translated only in a field of this kind. */
const textOf: Readonly<Record<Kind, (id: number) => string>> = {
  path: (id) => `/code/${id}`,
  uri: (id) => `file:///code/${id}`,
  patch: (id) => `--- /code/${id}\n`,
};

function definitionsOf(file: string): Definitions {
  const path = createRequire(import.meta.url).resolve(`@agentclientprotocol/sdk/schema/${file}.json`);
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly $defs: Definitions }).$defs;
}

const refOf = ({ $ref }: Node): string | undefined => $ref?.split('/').at(-1);
const parts = (node: Node): readonly Node[] => [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])];

/** Reads from the official schema whether a field is a path: from references to AbsolutePath and from descriptions, without our own tables. */
function kindOf(owner: string, key: string, node: Node): Kind | undefined {
  const inner = [node, node.items, ...parts(node)].filter((each) => each !== undefined);
  if (inner.some((each) => refOf(each) === 'AbsolutePath')) return 'path';
  const isText = inner.some(({ type }) => type === 'string' || (Array.isArray(type) && type.includes('string')));
  if (!isText) return undefined;
  const about = node.description ?? '';
  if (/^(?:The )?absolute (?:file )?path|must be (?:an )?absolute/i.test(about)) return 'path';
  if (key === 'additionalDirectories') return 'path';
  if (key === 'uri' && /^(?:The )?URI (?:associated|of the file)/.test(about)) return 'uri';
  return owner === 'DiffPatch' && key === 'text' ? 'patch' : undefined;
}

/** Values of a definition in which each field and each member of each union occurs. */
class Samples {
  readonly wanted = new Map<number, Kind>();
  readonly reached = new Set<string>();
  readonly #definitions: Definitions;
  readonly #style: Kind;
  #made = 0;

  constructor(definitions: Definitions, style: Kind) {
    this.#definitions = definitions;
    this.#style = style;
  }

  of(name: string, depth = 0): readonly unknown[] {
    const definition = this.#definitions[name];
    return definition === undefined || depth > 12
      ? ['x']
      : this.#values(definition, { owner: name, key: '', kind: undefined, depth });
  }

  #values(node: Node, at: { owner: string; key: string; kind: Kind | undefined; depth: number }): readonly unknown[] {
    if ('const' in node) return [node.const];
    if (node.enum) return node.enum;
    const named = refOf(node);
    if (named !== undefined && named !== 'AbsolutePath' && named !== 'DiffPatchFormat')
      return this.of(named, at.depth + 1);
    if (named === 'DiffPatchFormat') return ['git_patch'];
    const { anyOf, oneOf, allOf = [] } = node;
    const union = anyOf ?? oneOf;
    const bases = union ? union.flatMap((each) => this.#values(each, at)) : [{}];
    const extended = [
      ...allOf.map((each) => this.#values(each, at)),
      ...(node.properties ? [this.#objects(node.properties, at)] : []),
    ];
    if (extended.length > 0) return zipped([bases, ...extended]).map((all) => joined(all));
    if (union) return bases;
    if (named === 'AbsolutePath' || hasType(node, 'string')) return [this.#text(at.kind)];
    if (hasType(node, 'array')) return [node.items ? this.#values(node.items, at) : []];
    if (hasType(node, 'integer') || hasType(node, 'number')) return [1];
    return hasType(node, 'boolean') ? [true] : [{}];
  }

  #objects(
    properties: Readonly<Record<string, Node>>,
    { owner, depth }: { owner: string; depth: number },
  ): readonly unknown[] {
    const fields = Object.entries(properties).filter(([key]) => key !== '_meta');
    const values = fields.map(([key, node]) => {
      const kind = kindOf(owner, key, node);
      if (kind !== undefined) this.reached.add(`${owner}.${key}`);
      return this.#values(node, { owner, key, kind, depth });
    });
    const meta = { path: this.#text(undefined), cwd: this.#text(undefined), uri: this.#text(undefined) };
    return zipped(values).map((row) => ({
      ...Object.fromEntries(fields.map(([key], index) => [key, row[index]])),
      _meta: meta,
    }));
  }

  #text(kind: Kind | undefined): string {
    const id = ++this.#made;
    if (kind === this.#style) this.wanted.set(id, kind);
    return textOf[this.#style](id);
  }
}

/** As many rows as the longest list, each list from its start again. */
function zipped(lists: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  const length = Math.max(1, ...lists.map((each) => each.length));
  return Array.from({ length }, (_, row) => lists.map((each) => each[row % each.length]));
}
const joined = (all: readonly unknown[]): unknown => {
  const objects = all.filter((each) => typeof each === 'object' && each !== null);
  return objects.length === all.length ? Object.assign({}, ...objects) : all.find((each) => typeof each !== 'object');
};
const hasType = ({ type }: Node, name: string): boolean =>
  type === name || (Array.isArray(type) && type.includes(name));
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
const idIn = (text: string): number | undefined => {
  const [, id] = /(?:\/code|\/home\/me\/project)\/(\d+)\n?$/.exec(text) ?? [];
  return id === undefined ? undefined : Number(id);
};

/** The fields of all definitions that are paths. */
function allPathFields(definitions: Definitions): readonly string[] {
  const found: string[] = [];
  const visit = (owner: string, node: Node): void => {
    for (const [key, field] of Object.entries(node.properties ?? {}))
      if (kindOf(owner, key, field)) found.push(`${owner}.${key}`);
    for (const part of parts(node)) visit(owner, part);
  };
  for (const [owner, node] of Object.entries(definitions)) visit(owner, node);
  return found.toSorted();
}

const editions: readonly (readonly [file: string, version: 1 | 2, methods: Readonly<Record<string, MethodRow>>])[] = [
  ['v1/schema', 1, v1.methods],
  ['v1/schema.unstable', 1, v1Unstable.methods],
  ['v2/schema', 2, v2.methods],
  ['v2/schema.unstable', 2, v2Unstable.methods],
];

/** Messages of a connection that has agreed on a version. */
function agreed(version: 1 | 2, paths: PathMapping): MappedMessages {
  const messages = new MappedMessages(paths, { 1: v1Unstable, 2: v2Unstable });
  messages.frame(JSON.stringify({ id: 0, method: 'initialize' }), 'there');
  messages.frame(JSON.stringify({ id: 0, result: { protocolVersion: version } }), 'here');
  return messages;
}

/** The numbers in the texts of a frame that are translated. */
function translated(
  frame: object,
  { version, method, to }: { readonly version: 1 | 2; readonly method: string; readonly to: 'here' | 'there' },
): readonly number[] {
  const text = JSON.stringify(frame);
  // The same texts are translated in both directions.
  const messages = agreed(version, to === 'here' ? mapping : reversed);
  // An answer is understood by its request.
  if ('result' in frame) messages.frame(JSON.stringify({ id: 1, method }), to === 'here' ? 'there' : 'here');
  const after = textsIn(JSON.parse(messages.frame(text, to)));
  return textsIn(frame).flatMap((each, at) => (each === after[at] ? [] : (idIn(each) ?? [])));
}

test.each(editions)(
  'every path of every method of %s is translated in both directions, and nothing else',
  (file, version, methods) => {
    const definitions = definitionsOf(file);
    const reached = new Set<string>();
    const cases = (['path', 'uri', 'patch'] as const).flatMap((style) =>
      Object.entries(methods).flatMap(([method, { params, result }]) => {
        const samples = new Samples(definitions, style);
        const frames: readonly object[] = [
          ...samples.of(params).map((value) => ({ id: 1, method, params: value })),
          ...(result === undefined ? [] : samples.of(result).map((value) => ({ id: 1, result: value }))),
        ];
        samples.reached.forEach((field) => reached.add(field));
        return frames.map((frame) => ({ method, style, frame, samples }));
      }),
    );
    const mistakes = cases.flatMap(({ method, style, frame, samples }) => {
      const wanted = textsIn(frame)
        .flatMap((each) => idIn(each) ?? [])
        .filter((id) => samples.wanted.has(id));
      return (['here', 'there'] as const).flatMap((to) => {
        const changed = translated(frame, { version, method, to });
        return changed.join() === wanted.join() ? [] : [{ method, style, to, changed, wanted }];
      });
    });
    expect(mistakes).toEqual([]);
    expect([...reached].toSorted()).toEqual([...new Set(allPathFields(definitions))]);
  },
);
