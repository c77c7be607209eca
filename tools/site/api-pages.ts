import { readFileSync } from 'node:fs';
import type { ApiComment, ApiDeclaration, ApiModel, ApiType } from './api-model.ts';
import {
  asCode,
  memberType,
  parameterName,
  signatureText,
  typeParametersText,
  typeText,
  type TypeWriter,
} from './api-types.ts';
import { anchors } from './markdown.ts';
import type { Page } from './page.ts';

/** Kinds of what a module exports, by the numbers that typedoc has for them, in the order of a page. */
const sections = [
  { title: 'Functions', kind: 64 },
  { title: 'Classes', kind: 128 },
  { title: 'Interfaces', kind: 256 },
  { title: 'Types', kind: 2_097_152 },
  { title: 'Values', kind: 32 },
  { title: 'Also exported', kind: 4_194_304 },
] as const;

const frontPage = new URL('reference.md', import.meta.url);
const folder = 'docs/api';

/** The place of a module's page, without what it ends in: `@turnwire/client/node` is in `client-node`. */
const placeOf = (module: string): string => module.replace('@turnwire/', '').replaceAll('/', '-');

/** The reference of the programming interface: a page for each path that can be imported, and one that lists them. */
export function apiPages({ children: modules }: ApiModel): readonly Page[] {
  const front = readFileSync(frontPage, 'utf8');
  const descriptions = new Map(
    [...front.matchAll(/^\| `(@[^`]+)` \| (.+) \|$/gm)].map(([, path = '', description = '']) => [path, description]),
  );
  const unlisted = modules.filter(({ name }) => !descriptions.has(name)).map(({ name }) => name);
  if (unlisted.length > 0) throw new Error(`tools/site/reference.md does not say what ${unlisted.join(', ')} has`);
  const places = placesIn(modules);
  const page = (place: string, text: string): Page => ({
    path: `${folder}/${place}.md`,
    url: `api/${place}.html`,
    text,
    group: 'API',
  });
  return [
    page(
      'index',
      front.replaceAll(/(?<=^\| )`(@[^`]+)`/gm, (quoted, path: string) =>
        modules.some(({ name }) => name === path) ? `[${quoted}](${placeOf(path)}.md)` : quoted,
      ),
    ),
    ...modules.map((module) =>
      page(placeOf(module.name), moduleText(module, descriptions.get(module.name) ?? '', linker(places))),
    ),
  ];
}

/** The exports of a module, in the order of its page, by section. */
function exportsOf(module: ApiDeclaration): readonly { title: string; members: readonly ApiDeclaration[] }[] {
  return sections
    .map(({ title, kind }) => ({ title, members: (module.children ?? []).filter((each) => each.kind === kind) }))
    .filter(({ members }) => members.length > 0);
}

/** Where each declaration is described. What a module only passes on is described where it comes from. */
function placesIn(modules: readonly ApiDeclaration[]): ReadonlyMap<number, string> {
  const places = new Map<number, string>();
  for (const module of modules) {
    const anchorOf = anchors();
    anchorOf(module.name);
    for (const { title, members } of exportsOf(module)) {
      anchorOf(title);
      for (const { id, name } of members) places.set(id, `${placeOf(module.name)}.md#${anchorOf(name)}`);
    }
  }
  return places;
}

/** What Markdown would read as something else. */
const plain = (text: string): string => text.replaceAll(/[\\`*_[\]<>|~{}#]/g, String.raw`\$&`);

const linker = (places: ReadonlyMap<number, string>): TypeWriter => ({
  text: plain,
  name: (name, target) => {
    const place = places.get(target);
    return place === undefined ? plain(name) : `[${plain(name)}](${place})`;
  },
});

function moduleText(module: ApiDeclaration, description: string, writer: TypeWriter): string {
  const parts = exportsOf(module).flatMap(({ title, members }) => [
    `## ${title}`,
    ...members.flatMap((member) => [`### ${plain(member.name)}`, ...describe(member, writer)]),
  ]);
  return [`# ${module.name}`, `${description}.`, ...parts].filter((part) => part !== '').join('\n\n');
}

function describe(member: ApiDeclaration, writer: TypeWriter): readonly string[] {
  const { kind, name, signatures = [], comment, target, type } = member;
  if (kind === 4_194_304) return [`The same as ${writer.name(name, target ?? -1)}.`];
  if (kind === 64) return signatures.flatMap((signature) => describeFunction(name, signature, writer));
  if (kind === 32) return [code(`const ${name}: ${typeText(type, asCode)}`), ...about(comment, writer)];
  if (kind === 2_097_152) return describeType(member, writer);
  return describeObject(member, writer);
}

const code = (text: string): string => `\`\`\`ts\n${text}\n\`\`\``;

function describeFunction(name: string, signature: ApiDeclaration, writer: TypeWriter): readonly string[] {
  const { comment, parameters = [] } = signature;
  const isSaid = parameters.some((parameter) => parameter.comment !== undefined);
  const rows = (isSaid ? parameters : []).map(
    (parameter) =>
      `| \`${parameterName(parameter)}${parameter.flags?.isOptional ? '?' : ''}\` | ${typeText(parameter.type, writer)} | ${inCell(parameter.comment, writer)} |`,
  );
  const types = isSaid ? [] : named(parameters.map(({ type }) => typeText(type, writer)).join(', '), 'Takes');
  return [
    code(`${name}${signatureText(signature, asCode, ': ')}`),
    ...about(comment, writer),
    ...(rows.length > 0 ? [['| parameter | type | meaning |', '|---|---|---|', ...rows].join('\n')] : []),
    ...types,
    ...named(typeText(signature.type, writer), 'Returns'),
  ];
}

function describeType(member: ApiDeclaration, writer: TypeWriter): readonly string[] {
  const { name, typeParameters, type, comment } = member;
  const declared = `type ${name}${typeParametersText(typeParameters, asCode)}`;
  const members = type?.type === 'reflection' && !type.declaration?.signatures ? type.declaration?.children : undefined;
  if (members) return [...(typeParameters ? [code(declared)] : []), ...about(comment, writer), table(members, writer)];
  return [
    code(`${declared} =${brokenUnion(type)}`),
    ...about(comment, writer),
    ...named(typeText(type, writer), 'It is'),
  ];
}

/** A type as code; a long union with a line for each of its members. */
function brokenUnion(type: ApiType | undefined): string {
  const text = typeText(type, asCode);
  if (type?.type !== 'union' || text.length < 90) return ` ${text}`;
  return (type.types ?? []).map((each) => `\n  | ${typeText(each, asCode)}`).join('');
}

/** Types that are links: code has none. */
const named = (text: string, verb: string): readonly string[] => (text.includes('](') ? [`${verb} ${text}.`] : []);

function describeObject(member: ApiDeclaration, writer: TypeWriter): readonly string[] {
  const { kind, name, typeParameters, extendedTypes = [], comment, children = [], signatures } = member;
  const parents = extendedTypes.map((type) => typeText(type, writer)).join(', ');
  const constructors = children.filter((child) => child.kind === 512).flatMap((child) => child.signatures ?? []);
  const members = children.filter((child) => child.kind !== 512 && !isForeign(child));
  return [
    ...(typeParameters
      ? [code(`${kind === 128 ? 'class' : 'interface'} ${name}${typeParametersText(typeParameters, asCode)}`)]
      : []),
    ...about(comment, writer),
    ...(parents === '' ? [] : [`Extends ${parents}.`]),
    ...constructors
      .filter(({ comment: said }) => said !== undefined)
      .flatMap((each) => describeFunction(`new ${name}`, each, writer)),
    ...(signatures ?? []).flatMap((signature) => describeFunction('', signature, writer)),
    ...(members.length === 0 ? [] : [table(members, writer)]),
  ];
}

/** What a class has from one that is not ours, such as `Error`. */
function isForeign({ inheritedFrom }: ApiDeclaration): boolean {
  return inheritedFrom !== undefined && (typeof inheritedFrom.target !== 'number' || inheritedFrom.target < 0);
}

function table(members: readonly ApiDeclaration[], writer: TypeWriter): string {
  const rows = members.map((member) => {
    const comment = member.comment ?? member.signatures?.[0]?.comment ?? member.getSignature?.comment;
    const name = `${member.flags?.isStatic ? 'static ' : ''}${member.name}${member.flags?.isOptional ? '?' : ''}`;
    return `| \`${name.replaceAll('|', String.raw`\|`)}\` | ${memberType(member, writer)} | ${inCell(comment, writer)} |`;
  });
  return ['| member | type | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** What a comment says, as paragraphs. */
function about(comment: ApiComment | undefined, writer: TypeWriter): readonly string[] {
  const tags = (comment?.blockTags ?? []).map(({ tag, content }) =>
    tag === '@example' ? partsText(content, writer) : `**${tagName(tag)}** ${partsText(content, writer)}`,
  );
  return [partsText(comment?.summary, writer), ...tags].filter((text) => text !== '');
}

const tagName = (tag: string): string =>
  tag === '@defaultValue' ? 'Default:' : `${tag.charAt(1).toUpperCase()}${tag.slice(2)}`;

const inCell = (comment: ApiComment | undefined, writer: TypeWriter): string =>
  about(comment, writer)
    .join(' ')
    .replaceAll(/```\w*\n([^]*?)\n```/g, '`$1`')
    .replaceAll(/(?<!\\)\|/g, String.raw`\|`)
    .replaceAll(/\s*\n\s*/g, ' ');

/** Comments are Markdown; only what looks like a tag of HTML in them is text. */
function partsText(parts: ApiComment['summary'] = [], writer: TypeWriter): string {
  return parts
    .map(({ kind, text, target }) => {
      if (kind === 'inline-tag') return typeof target === 'number' ? writer.name(text, target) : plain(text);
      return kind === 'text' ? text.replaceAll('<', String.raw`\<`) : text;
    })
    .join('')
    .trim();
}
