import { isAbsolutePath } from '../../src/validation/absolute-path.ts';
import { isUri } from '../../src/validation/limits.ts';

/** An object anywhere in a message. */
export type Part = { [key: string]: unknown };

/** Something that the official package and ours read differently, on purpose. */
export interface VerdictDifference {
  readonly rule: string;
  readonly reason: string;
  /** The smallest message that shows it: the name of its definition, and the message. */
  readonly example: readonly [name: string, message: Part];
  /** Changes a part of a message so that both packages read it alike. */
  readonly align: (part: Part) => void;
}

/** Tags that the Preview added or made stable. The stable schema of the official package passes them on unread. */
const previewTags: ReadonlySet<unknown> = new Set([
  'replay_complete',
  'subagent_update',
  'session_message',
  'session_message_chunk',
  'plan_removed',
  'subagent',
  'file',
  'markdown',
  'unknown',
]);

const text = { type: 'text', text: 'a' };

const both: readonly VerdictDifference[] = [
  {
    rule: 'A URI is text that begins with a scheme.',
    reason:
      'The official package reads it with the URL parser of the platform, which refuses addresses that are valid for their scheme, and spaces are valid to it. Both sides only show such text or pass it on.',
    example: [
      'PromptRequest',
      { sessionId: 's', prompt: [{ type: 'resource_link', name: 'a', uri: 'https://a:port' }] },
    ],
    align(part) {
      for (const key of ['uri', 'url', 'src', 'baseUrl'])
        if (isUri(part[key]) !== isOfficialUrl(part[key])) part[key] = 'https://a';
    },
  },
  {
    rule: 'A path that the receiver works with is absolute (V084).',
    reason:
      'The schema demands it in words only. A relative path would be resolved in whatever folder the receiver runs.',
    example: ['NewSessionRequest', { cwd: 'src' }],
    align(part) {
      if (isRelative(part['cwd'])) part['cwd'] = '/';
      const { additionalDirectories: folders } = part;
      if (Array.isArray(folders))
        part['additionalDirectories'] = folders.map((folder: unknown) => (isRelative(folder) ? '/' : folder));
    },
  },
  {
    rule: 'A list that is wrong, and that may be absent, is absent.',
    reason:
      'The official package puts an empty list there, which means the same in these fields. They are not fields of patches.',
    example: ['NewSessionResponse', { sessionId: 's', configOptions: 'none' }],
    align(part) {
      for (const key of optionalLists) if (key in part && !Array.isArray(part[key])) part[key] = [];
    },
  },
  {
    rule: 'A stop reason that is null is read as absent.',
    reason: 'Handlers meet one form of it. The official package keeps the null.',
    example: [
      'UpdateSessionNotification',
      { sessionId: 's', update: { sessionUpdate: 'state_update', state: 'idle', stopReason: null } },
    ],
    align(part) {
      if (part['state'] === 'idle' && part['stopReason'] === null) delete part['stopReason'];
    },
  },
  {
    rule: 'An integer without stated limits may have any size.',
    reason:
      'The official package derives limits from the width that the schema notes for implementations. An error with a larger code still says what happened.',
    example: ['Error', { code: 2 ** 40, message: 'The disk is full' }],
    align(part) {
      for (const key of ['code', 'minLength', 'maxLength'])
        if (typeof part[key] === 'number' && Number.isInteger(part[key]))
          part[key] = Math.min(Math.max(part[key], -(2 ** 31)), 2 ** 31 - 1);
    },
  },
  {
    rule: 'The key of a prompt is text (V058, Preview).',
    reason: 'The imported schema is older than the key.',
    example: ['PromptRequest', { sessionId: 's', prompt: [text], idempotencyKey: 5 }],
    align(part) {
      delete part['idempotencyKey'];
    },
  },
  {
    rule: 'The status of a compaction may be absent, which keeps the last one (Preview).',
    reason: 'The imported schema is older than this field of a patch.',
    example: [
      'UpdateSessionNotification',
      { sessionId: 's', update: { sessionUpdate: 'compaction_update', compactionId: 'c' } },
    ],
    align(part) {
      if (part['sessionUpdate'] === 'compaction_update' && typeof part['status'] !== 'string') part['status'] = 'x';
    },
  },
  {
    rule: 'The update that ends a replay is read (V073, Preview).',
    reason: 'The imported schema is older than the update, and passes it on unread.',
    example: ['UpdateSessionNotification', { sessionId: 's', update: { sessionUpdate: 'replay_complete', _meta: 5 } }],
    align(part) {
      if (part['sessionUpdate'] === 'replay_complete') part['sessionUpdate'] = 'x';
    },
  },
];

export const stableVerdictDifferences: readonly VerdictDifference[] = [
  ...both,
  {
    rule: 'Child sessions, plans in other forms and the state "unknown" are read (V090 to V095, Preview).',
    reason: 'They were unstable in the imported schema: its stable part passes them on unread.',
    example: [
      'UpdateSessionNotification',
      { sessionId: 's', update: { sessionUpdate: 'subagent_update', sessionId: 5 } },
    ],
    align(part) {
      for (const tag of ['sessionUpdate', 'type', 'state']) if (previewTags.has(part[tag])) part[tag] = 'x';
    },
  },
];

export const unstableVerdictDifferences: readonly VerdictDifference[] = [
  ...both,
  {
    rule: 'A system prompt has at least one block (Preview).',
    reason: 'The imported schema is older than the condition.',
    example: ['NewSessionRequest', { cwd: '/', systemPrompt: { mode: 'append', content: [] } }],
    align(part) {
      if ('mode' in part && isEmptyList(part['content'])) part['content'] = [text];
    },
  },
];

const optionalLists = [
  'additionalDirectories',
  'mcpServers',
  'args',
  'env',
  'headers',
  'authMethods',
  'configOptions',
  'availableCommands',
  'accounts',
];

function isOfficialUrl(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value);
}

function isRelative(value: unknown): boolean {
  return typeof value === 'string' && !isAbsolutePath(value);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
