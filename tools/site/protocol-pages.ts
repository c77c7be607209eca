import { stableEdition, unstableEdition, v2Edition } from '../../packages/protocol/schema/editions.ts';
import type { Schema } from '../../packages/protocol/schema/schema.ts';
import type { MethodRow } from '../../packages/protocol/src/edition.ts';
import { methods } from '../../packages/protocol/src/methods.ts';
import { unstableMethods } from '../../packages/protocol/src/unstable/methods.ts';
import { v2Methods } from '../../packages/protocol/src/v2/methods.ts';
import { capabilitiesPage } from './protocol-capabilities.ts';
import { describeDefinition, type DefinitionLink, schemaText } from './protocol-schema.ts';

const { definitions } = stableEdition;
const { definitions: unstableDefinitions } = unstableEdition;

type Definitions = Readonly<Record<string, Schema>>;
type Rows = readonly (readonly [method: string, row: MethodRow])[];

const stable: Rows = Object.entries(methods);
const unstable: Rows = Object.entries(unstableMethods).filter(([method]) => !Object.hasOwn(methods, method));

/** The reference of the protocol, a name and Markdown for each page, from the tables and schemas that the packages are built from. */
export function protocolPages(): readonly (readonly [name: string, text: string])[] {
  return [
    ['index', indexText()],
    ['methods', methodsText(stable, definitions, stableLink)],
    ['types', typesText(stable, definitions, stableLink)],
    ['capabilities', capabilitiesPage(stable, stableLink)],
    ['unstable', unstableText()],
    ['version-2', version2Text()],
  ];
}

/** Definitions that belong to one method are described with it. */
function definitionsOf(rows: Rows): ReadonlySet<string> {
  return new Set(rows.flatMap(([, { params, result }]) => [params, ...(result === undefined ? [] : [result])]));
}

const inMethods = definitionsOf(stable);
const stableLink: DefinitionLink = (name) => (inMethods.has(name) ? undefined : `types.md#${name.toLowerCase()}`);
const unstableLink: DefinitionLink = (name) =>
  Object.hasOwn(unstableDefinitions, name)
    ? inUnstable.has(name)
      ? undefined
      : `#${name.toLowerCase()}`
    : stableLink(name);
const inUnstable = definitionsOf(unstable);

const version2: Rows = Object.entries(v2Methods);
const inVersion2 = definitionsOf(version2);
const version2Link: DefinitionLink = (name) => (inVersion2.has(name) ? undefined : `#${name.toLowerCase()}`);

function indexText(): string {
  return [
    '# The protocol',
    'Every method of version 1 of the Agent Client Protocol, as Turnwire speaks it. [Version 2](version-2.md) has a page of its own. These pages are made from the tables and schemas in',
    '[`packages/protocol`](../../packages/protocol/README.md), from which the types, the checks and the dispatch are made as well. Where they differ from',
    'the official schema, and why, is in [`differences.ts`](../../packages/protocol/schema/differences.ts).',
    '',
    '*Needs* is what the side that handles a method has to have advertised before the other side may call it. Turnwire’s packages speak every',
    'stable method: an agent made with `@turnwire/agent` advertises what its definition has parts for, a client made with `@turnwire/client` what',
    'its host provides, and a call that the other side did not advertise is refused before anything is sent. What agents of others advertise is',
    'under [capabilities](capabilities.md).',
    '',
    'The tables of fields say what a receiver does about a bad value: some are repaired, so that one mistake does not lose the whole message.',
    '',
    ...methodTables(stable, 'methods.md'),
    `The [unstable methods](unstable.md) are there for connections that are made with the unstable edition: ${unstable.map(([method]) => `\`${method}\``).join(', ')}.`,
  ].join('\n');
}

function methodTables(rows: Rows, page: string): readonly string[] {
  const sides = { agent: 'Handled by the agent', client: 'Handled by the client', both: 'Handled by both' } as const;
  return Object.entries(sides).flatMap(([side, title]) => {
    const own = rows.filter(([, row]) => row.side === side);
    const lines = own.map(
      ([method, row]) =>
        `| [\`${method}\`](${page}#${anchorOf(method)}) | ${row.kind} | ${needs(row)} | ${firstSentence(definitions[row.params])} |`,
    );
    return [`## ${title}`, '', '| method | kind | needs | what for |', '|---|---|---|---|', ...lines, ''];
  });
}

const anchorOf = (method: string): string => method.replaceAll(/[^\w]/g, '');

function needs({ capability }: MethodRow): string {
  if (capability === undefined) return '–';
  return [capability]
    .flat()
    .map((path) => `\`${path}\``)
    .join(' or ');
}

const firstSentence = (schema: Schema | undefined): string =>
  /^.*?[.](?= |$)/.exec(schema?.description ?? '')?.[0] ?? '';

function methodsText(rows: Rows, known: Definitions, link: DefinitionLink): string {
  return [
    '# Methods',
    'Each with its parameters and its result. Every object may also have `_meta`: data for those who know its keys, which everyone else passes on untouched.',
    '',
    ...rows.flatMap((row) => methodText(row, known, link)),
  ].join('\n');
}

function methodText([method, row]: Rows[number], known: Definitions, link: DefinitionLink): readonly string[] {
  const side = row.side === 'both' ? 'Either side' : `The ${row.side}`;
  const gate = row.capability === undefined ? '' : ` It has to have advertised ${needs(row)}.`;
  const parameters = definitionNamed(row.params, known);
  return [
    `## ${method}`,
    '',
    `${parameters.description ?? ''} ${side} handles this ${row.kind}.${gate}`,
    '',
    `**Parameters**, \`${row.params}\`:`,
    '',
    ...describeDefinition(parameters, link),
    ...(row.result === undefined
      ? []
      : [
          `**Result**, \`${row.result}\`: ${definitionNamed(row.result, known).description ?? ''}`,
          '',
          ...describeDefinition(definitionNamed(row.result, known), link),
        ]),
  ];
}

function definitionNamed(name: string, known: Definitions): Schema {
  const schema = known[name] ?? definitions[name];
  if (schema === undefined) throw new Error(`the table of methods mentions ${name}, which no schema defines`);
  return schema;
}

function typesText(rows: Rows, known: Definitions, link: DefinitionLink): string {
  const own = definitionsOf(rows);
  const others = Object.entries(known).filter(([name]) => !own.has(name));
  return [
    '# Types',
    'What parameters and results are made of, in the order of a connection’s life. Every object may also have `_meta`: data for those who know its keys, which everyone else passes on untouched.',
    '',
    ...others.flatMap(([name, schema]) => typeText(name, schema, link)),
  ].join('\n');
}

function typeText(name: string, schema: Schema, link: DefinitionLink): readonly string[] {
  return [
    `## ${name}`,
    '',
    schema.description ?? '',
    '',
    ...describeDefinition(schema, link),
    ...(isPlain(schema) ? [`It is ${schemaText(schema, link, name)}.`, ''] : []),
  ];
}

const isPlain = ({ kind }: Schema): boolean => kind !== 'object' && kind !== 'tagged' && kind !== 'choice';

function unstableText(): string {
  const own = Object.entries(unstableDefinitions).filter(([name]) => !inUnstable.has(name) && !inMethods.has(name));
  return [
    '# Unstable methods',
    'They may change or go with any release of the protocol. A connection speaks them when it is made with the edition of',
    '`@turnwire/protocol/unstable`; see [its README](../../packages/protocol/README.md). They are read from the official unstable schema.',
    '',
    ...unstable.flatMap((row) => methodText(row, unstableDefinitions, unstableLink)),
    '# Types of the unstable methods',
    'Those that are new, and the stable ones to which the unstable edition adds something.',
    '',
    ...own.flatMap(([name, schema]) => typeText(name, schema, unstableLink)),
  ].join('\n');
}

function version2Text(): string {
  const types = Object.entries(v2Edition.definitions).filter(([name]) => !inVersion2.has(name));
  return [
    '# Version 2',
    'Every method of version 2, which is in Preview: it may still change. A connection has one version, on which both sides agree in',
    '`initialize`; [the guide](../guide/version-2.md) shows how. Rules that are newer than the official schema that is read here are in',
    '[`differences-v2.ts`](../../packages/protocol/schema/differences-v2.ts).',
    '',
    ...version2.flatMap((row) => methodText(row, v2Edition.definitions, version2Link)),
    '# Types of version 2',
    'In the order of a connection’s life.',
    '',
    ...types.flatMap(([name, schema]) => typeText(name, schema, version2Link)),
  ].join('\n');
}
