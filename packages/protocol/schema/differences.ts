import { type OfficialDefinitions, officialDefinitions, type OfficialNode } from './official-schema.ts';

/** A place where the editions deliberately differ from the official schema. */
export interface Difference {
  readonly reason: string;
  readonly change: (node: OfficialNode) => OfficialNode;
  /** Names of definitions, or of fields: `NewSessionRequest.cwd`. */
  readonly at: readonly string[];
}

/** Definitions of both versions that are unstable in the imported schema and have become stable since. */
export const promoted = [
  'PlanFile',
  'PlanMarkdown',
  'PlanRemoved',
  'PlanUpdateContent',
  'SessionCancelCapabilities',
  'SessionMessage',
  'SessionMessageChunk',
  'SessionUpdate',
  'StateUpdate',
  'SubagentSessionCapabilities',
  'SubagentUpdate',
  'UnknownStateUpdate',
];

/** The same for definitions that version 2 has in its stable schema, or does not have. */
const promotedInV1 = [
  'ClientCapabilities',
  'ErrorStopReason',
  'IdleStateUpdate',
  'PlanCapabilities',
  'PlanId',
  'PlanItems',
  'PlanUpdate',
  'RequiresActionStateUpdate',
  'RunningStateUpdate',
  'SubagentCapabilities',
];

/** Everything that is not listed here is as in the official schema. */
const differences: readonly Difference[] = [
  {
    reason:
      'A client of today must be able to show, store and pass on what an agent of tomorrow sends. The unions of version 2 are open for the same reason.',
    change: withUnknownVariants,
    at: ['SessionUpdate', 'ContentBlock', 'ToolCallContent'],
  },
  {
    reason:
      'The documentation demands an absolute path. A relative one would be resolved against whatever folder the receiver happens to run in, so it is refused before it can do harm.',
    change: withAbsolutePath,
    at: [
      'NewSessionRequest.cwd',
      'LoadSessionRequest.cwd',
      'ResumeSessionRequest.cwd',
      'ReadTextFileRequest.path',
      'WriteTextFileRequest.path',
      'ListSessionsRequest.cwd',
      'CreateTerminalRequest.cwd',
      'NewSessionRequest.additionalDirectories',
      'LoadSessionRequest.additionalDirectories',
      'ResumeSessionRequest.additionalDirectories',
    ],
  },
  {
    reason:
      'Officially, whatever fits no other type is read as this one, so that an unknown or misspelt `type` would start a program or call `authenticate`. Here the type must be absent, null or this name.',
    change: withOptionalTag,
    at: ['McpServer', 'AuthMethod'],
  },
  {
    reason: 'The documentation tells receivers to ignore unknown formats. With a closed list, the whole form would be refused.',
    change: ({ oneOf = [], ...node }) => ({ ...node, anyOf: [...oneOf, { title: 'other', type: 'string' }] }),
    at: ['StringFormat'],
  },
  {
    reason: 'Like every other object of the protocol. Without it the type would be empty, and in TypeScript everything fits an empty type.',
    change: (node) => ({ ...node, properties: { ...node.properties, _meta: meta } }),
    at: ['CompactionCapabilities', 'NoticeCapabilities'],
  },
  {
    reason: 'A tag that is `null` is repaired to an absent one, as in every union whose tag may be absent. Handlers meet one form of it.',
    change: withoutNullTag,
    at: ['IdleStateUpdate'],
  },
];

const stableDifferences: readonly Difference[] = [
  ...differences,
  {
    reason: 'The tokens that a turn used are still unstable.',
    change: ({ properties: { usage: _, ...properties } = {}, ...node }) => ({ ...node, properties }),
    at: ['IdleStateUpdate'],
  },
];

const meta: OfficialNode = { type: ['object', 'null'], 'x-deserialize-default-on-error': true, additionalProperties: true };

const officialUnstable = officialDefinitions('v1/schema.unstable');

/** The definitions of the stable methods of version 1. */
export const v1Nodes: OfficialDefinitions = withDifferences(
  withPromoted(officialDefinitions('v1/schema'), officialUnstable, [...promoted, ...promotedInV1]),
  stableDifferences,
);

/** The same with the unstable methods. */
export const v1UnstableNodes: OfficialDefinitions = withDifferences(officialUnstable, differences);

/** Takes some definitions from the schema with the unstable methods. @throws if it does not have one */
export function withPromoted(stable: OfficialDefinitions, unstable: OfficialDefinitions, names: readonly string[]): OfficialDefinitions {
  const missing = names.find((name) => unstable[name] === undefined);
  if (missing !== undefined) throw new Error(`the official schema has no ${missing}: correct schema/differences.ts`);
  return { ...stable, ...Object.fromEntries(Object.entries(unstable).filter(([name]) => names.includes(name))) };
}

/** The official definitions with the differences applied. @throws if one names a definition or field that does not exist */
export function withDifferences(definitions: OfficialDefinitions, differences: readonly Difference[]): OfficialDefinitions {
  const changes = differences.flatMap(({ at, change }) => at.map((place) => ({ place, change })));
  return changes.reduce((all, { place, change }) => {
    const [name = '', field] = place.split('.');
    const node = all[name];
    const found = field === undefined ? node : node?.properties?.[field];
    if (node === undefined || found === undefined) throw new Error(`the official schema has no ${place}: correct schema/differences.ts`);
    const changed = change(found);
    return { ...all, [name]: field === undefined ? changed : { ...node, properties: { ...node.properties, [field]: changed } } };
  }, definitions);
}

/** Adds a member for unknown tags, in the form of the unions that are open in the official schema. */
function withUnknownVariants(node: OfficialNode): OfficialNode {
  const known = (node.oneOf ?? []).map(({ properties, required }) => ({ properties, required }));
  const properties = Object.fromEntries(Object.keys(known[0]?.properties ?? {}).map((tag) => [tag, { type: 'string' }]));
  const other = { title: 'other', type: 'object', properties, required: Object.keys(properties), not: { anyOf: known } };
  return { ...node, oneOf: [...(node.oneOf ?? []), other] };
}

function withAbsolutePath(node: OfficialNode): OfficialNode {
  return node.items === undefined ? { ...node, format: 'absolute-path' } : { ...node, items: withAbsolutePath(node.items) };
}

/** Gives the member without a tag its title as the tag, which may be absent. */
function withOptionalTag(node: OfficialNode): OfficialNode {
  const anyOf = node.anyOf?.map((member) =>
    member.properties === undefined && member.title !== undefined
      ? { ...member, properties: { type: { type: 'string', const: member.title } } }
      : member,
  );
  return { ...node, ...(anyOf && { anyOf }) };
}

export function withoutNullTag({ anyOf = [], ...node }: OfficialNode): OfficialNode {
  const isNone = ({ title }: OfficialNode) => title === 'none';
  const tags = Object.keys(anyOf.find(isNone)?.properties ?? {});
  return { ...node, anyOf: anyOf.map((member) => (isNone(member) ? { title: 'none', type: 'object', not: { required: tags } } : member)) };
}
