import { stableEdition, unstableEdition } from '../../packages/protocol/schema/editions.ts';
import type { Schema } from '../../packages/protocol/schema/schema.ts';
import type { MethodRow } from '../../packages/protocol/src/edition.ts';
import { type AdvertisedCapabilities, advertised } from './advertised.ts';
import { type DefinitionLink, schemaText } from './protocol-schema.ts';

const { definitions } = stableEdition;
const { definitions: unstableDefinitions } = unstableEdition;

interface Capability {
  readonly path: string;
  readonly schema: Schema;
  readonly description: string;
}

/** The page about capabilities: all that the protocol defines, the methods that need them, and the agents that advertise them. */
export function capabilitiesPage(rows: readonly (readonly [string, MethodRow])[], link: DefinitionLink): string {
  const table = (side: 'Agent' | 'Client', about: readonly string[]): readonly string[] => [
    `## What ${side === 'Agent' ? 'an agent' : 'a client'} may advertise`,
    '',
    ...about,
    '',
    '| capability | type | meaning | methods that need it |',
    '|---|---|---|---|',
    ...capabilitiesIn(definitionOf(`${side}Capabilities`)).map(
      ({ path, schema, description }) =>
        `| \`${path}\` | ${schema.kind === 'object' ? 'object' : schemaText(schema, link)} | ${description.replaceAll('|', String.raw`\|`)} | ${methodsThatNeed(path, rows, side)} |`,
    ),
    '',
  ];
  return [
    '# Capabilities',
    'Each side advertises its capabilities once, in `initialize`. It lacks those that it does not mention. An object, even an empty one, means yes.',
    '',
    ...table('Agent', ['In `agentCapabilities` of the answer to [`initialize`](methods.md#initialize).']),
    ...table('Client', ['In `clientCapabilities` of the request [`initialize`](methods.md#initialize).']),
    ...whoAdvertises(),
  ].join('\n');
}

function definitionOf(name: string): Schema {
  const schema = definitions[name];
  if (schema === undefined) throw new Error(`no schema defines ${name}`);
  return schema;
}

/** All capabilities of an object, nested ones too, with their paths. */
function capabilitiesIn(schema: Schema, path = ''): readonly Capability[] {
  if (schema.kind === 'nullable') return capabilitiesIn(schema.schema, path);
  if (schema.kind !== 'object') return [];
  return Object.entries(schema.fields)
    .filter(([name]) => name !== '_meta')
    .flatMap(([name, field]) => {
      const inner = field.schema.kind === 'nullable' ? field.schema.schema : field.schema;
      const own = { path: `${path}${name}`, schema: inner, description: field.rules.description };
      return [own, ...capabilitiesIn(inner, `${own.path}.`)];
    });
}

function methodsThatNeed(path: string, rows: readonly (readonly [string, MethodRow])[], side: string): string {
  const own = rows.filter(([, row]) => row.side === side.toLowerCase() && [row.capability ?? []].flat().includes(path));
  return own.map(([method]) => `[\`${method}\`](methods.md#${method.replaceAll(/[^\w]/g, '')})`).join(', ') || '–';
}

function whoAdvertises(): readonly string[] {
  const seen = advertised();
  if (seen === undefined) return [];
  return [
    '## Who advertises what',
    '',
    `The answers of agents to \`initialize\` of a client that offers files, terminals and forms, on ${seen.date}, without an account. This list is written by`,
    '`node --import tsx tools/real-agents/advertised.ts`, which starts each of them. Results of whole turns are under [known agents](../known-agents.md).',
    '',
    ...matrix(seen.agents),
  ];
}

/** Objects that only contain other capabilities. */
const containers = ['promptCapabilities', 'mcpCapabilities', 'sessionCapabilities', 'auth'];

function matrix(agents: readonly AdvertisedCapabilities[]): readonly string[] {
  const stable = new Set(capabilitiesIn(definitionOf('AgentCapabilities')).map(({ path }) => path));
  const paths = capabilitiesIn(unstableDefinitions['AgentCapabilities'] ?? definitionOf('AgentCapabilities'))
    .map(({ path }) => path)
    .filter((path) => !containers.includes(path));
  const rows = paths.map((path) => {
    const cells = agents.map(({ capabilities }) => (isThere(capabilities, path) ? 'yes' : '–'));
    return { name: stable.has(path) ? `\`${path}\`` : `\`${path}\` (unstable)`, cells };
  });
  return [
    `| capability | ${agents.map(({ name, version }) => `${name} ${version}`).join(' | ')} |`,
    `|---|${agents.map(() => '---').join('|')}|`,
    ...rows.filter(({ cells }) => cells.includes('yes')).map(({ name, cells }) => `| ${name} | ${cells.join(' | ')} |`),
    '',
    'None of them advertised a capability that has no row.',
    '',
  ];
}

/** Whether a capability is advertised: `true`, or an object. */
function isThere(capabilities: object, path: string): boolean {
  const value = path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], capabilities);
  return value === true || (typeof value === 'object' && value !== null);
}
