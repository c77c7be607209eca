import { type Difference, promoted, withDifferences, withoutNullTag, withPromoted } from './differences.ts';
import { type OfficialDefinitions, officialDefinitions, type OfficialNode } from './official-schema.ts';

/*
 * Version 2 is in Preview, and its rules are newer than the schema of the official SDK 2.4.0, which is imported here. Entries marked
 * with Preview follow the published types and announcements. A newer schema replaces it: when the import fails, delete the entry.
 */

const meta: OfficialNode = { type: ['object', 'null'], 'x-deserialize-default-on-error': true, additionalProperties: true };

/** Preview: definitions that the imported schema does not have. */
const added: OfficialDefinitions = {
  IdempotencyKey: { type: 'string' },
  ReplayComplete: { type: 'object', properties: { _meta: meta } },
};

const stableDifferences: readonly Difference[] = [
  {
    reason:
      'The documentation demands absolute paths. A relative one would be resolved against whatever folder the receiver happens to run in, so it is refused where the receiver works with it. Where a path is only shown, a relative one is better than none.',
    change: withAbsolutePath,
    at: [
      'NewSessionRequest.cwd',
      'NewSessionRequest.additionalDirectories',
      'ResumeSessionRequest.cwd',
      'ResumeSessionRequest.additionalDirectories',
      'ListSessionsRequest.cwd',
      'CommandPermissionSubject.cwd',
    ],
  },
  {
    reason: 'A tag that is `null` is repaired to an absent one, as in every union whose tag may be absent. Handlers meet one form of it.',
    change: withoutNullTag,
    at: ['IdleStateUpdate'],
  },
  {
    reason: 'Officially, a bad list here is read as an empty one, which the official schema refuses in turn. An empty group does no harm.',
    change: ({ minItems: _, ...node }) => node,
    at: ['SessionConfigSelectGroup.options'],
  },
  {
    reason: 'Preview: a prompt that is sent again with the same key is not inserted a second time.',
    change: (node) => ({
      ...node,
      properties: { ...node.properties, idempotencyKey: { anyOf: [{ $ref: '#/$defs/IdempotencyKey' }, { type: 'null' }] } },
    }),
    at: ['PromptRequest'],
  },
  {
    reason: 'Preview: an update marks the end of a replay.',
    change: (node) => withVariant(node, 'replay_complete', 'ReplayComplete'),
    at: ['SessionUpdate'],
  },
  {
    reason: 'Preview: the status of a compaction is a field of a patch, like its others. Absent means as before.',
    change: ({ required = [], properties = {}, ...node }) => ({
      ...node,
      required: required.filter((name) => name !== 'status'),
      properties: {
        ...properties,
        status: { anyOf: [{ $ref: '#/$defs/CompactionStatus' }, { type: 'null' }], 'x-deserialize-default-on-error': true },
      },
    }),
    at: ['CompactionUpdate'],
  },
];

const unstableDifferences: readonly Difference[] = [
  ...stableDifferences,
  {
    reason: 'As for sessions that are new.',
    change: withAbsolutePath,
    at: ['ForkSessionRequest.cwd', 'ForkSessionRequest.additionalDirectories'],
  },
  {
    reason: 'Preview: a system prompt has at least one block.',
    change: (node) => ({ ...node, minItems: 1 }),
    at: ['SystemPrompt.content'],
  },
];

const officialUnstable = officialDefinitions('v2/schema.unstable');

/** The official definitions of the stable methods of version 2, with the differences applied. */
export const v2Nodes: OfficialDefinitions = checkingUris(
  withDifferences(
    {
      ...withPromoted(officialDefinitions('v2/schema'), officialUnstable, [...promoted, 'BackgroundSubagent', 'BackgroundWork']),
      ...added,
    },
    stableDifferences,
  ),
);

/** The same with the unstable methods. */
export const v2UnstableNodes: OfficialDefinitions = checkingUris(withDifferences({ ...officialUnstable, ...added }, unstableDifferences));

/** In JSON Schema the format of a text is an annotation. The official implementations refuse text that is not a URI, and so do we. */
function checkingUris(definitions: OfficialDefinitions): OfficialDefinitions {
  return JSON.parse(JSON.stringify(definitions).replaceAll('"format":"uri"', '"format":"checked-uri"')) as OfficialDefinitions;
}

function withAbsolutePath(node: OfficialNode): OfficialNode {
  const path = JSON.stringify({ type: 'string', format: 'absolute-path' });
  return JSON.parse(JSON.stringify(node).replace('{"$ref":"#/$defs/AbsolutePath"}', path)) as OfficialNode;
}

/** Adds a member to a union of objects that is open. */
function withVariant(node: OfficialNode, value: string, definition: string): OfficialNode {
  const { anyOf = [] } = node;
  const [tag = ''] = Object.keys(anyOf[0]?.properties ?? {});
  const known: OfficialNode = { type: 'object', properties: { [tag]: { type: 'string', const: value } }, required: [tag] };
  const members = anyOf.flatMap((member) =>
    member.title === 'other'
      ? [
          { ...known, allOf: [{ $ref: `#/$defs/${definition}` }] },
          { ...member, not: { anyOf: [...((member['not'] as OfficialNode).anyOf ?? []), known] } },
        ]
      : [member],
  );
  return { ...node, anyOf: members };
}
