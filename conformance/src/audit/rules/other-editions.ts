import type { Definition } from '../definition-of.ts';

/** Methods of drafts and of earlier editions of the protocol. Nobody is blamed for them. */
export const everMethods: ReadonlySet<string> = new Set([
  ...[
    'session/fork',
    'session/archive',
    'session/unarchive',
    'session/status',
    'session/set_title',
    'session/set_model',
  ],
  ...['auth/status', 'auth/status_update', 'providers/list', 'providers/set', 'providers/disable'],
  ...['mcp/message', 'mcp/connect', 'mcp/disconnect', 'proxy/initialize', 'proxy/successor'],
  ...['nes/start', 'nes/suggest', 'nes/accept', 'nes/reject', 'nes/close'],
  ...['document/didOpen', 'document/didChange', 'document/didClose', 'document/didSave', 'document/didFocus'],
]);

const everKeys: { readonly [type in Definition]?: readonly string[] } = {
  ClientCapabilities: ['plan', 'subagents', 'positionEncodings', 'nes', 'editPredictions'],
  AgentCapabilities: ['providers', 'nes', 'positionEncoding'],
  AgentAuthCapabilities: ['status'],
  SessionCapabilities: ['fork', 'archive', 'status', 'title', 'systemPrompt', 'setModel', 'subagents'],
  McpCapabilities: ['acp'],
  NewSessionRequest: ['systemPrompt'],
  LoadSessionRequest: ['systemPrompt'],
  ResumeSessionRequest: ['systemPrompt'],
  NewSessionResponse: ['models'],
  LoadSessionResponse: ['models'],
  ResumeSessionResponse: ['models'],
  ListSessionsRequest: ['archived'],
  SessionInfo: ['archived'],
  PromptRequest: ['messageId'],
  PromptResponse: ['usage', 'userMessageId'],
  // The page on modes calls it so.
  CurrentModeUpdate: ['modeId'],
  // Written beside the list of variables that the docs once showed.
  AuthMethodAgent: ['type', 'vars', 'link', 'varName', 'args', 'env'],
  // One of the two ways to name the type of a stdio server, and what the SDK takes off again.
  McpServerStdio: ['type'],
  // A setter of a value may name the type of the option.
  SetSessionConfigOptionRequest: ['type'],
  ElicitationSchema: ['$schema', '$id', '$comment', 'additionalProperties'],
};

/** Whether a draft or an earlier edition has a key there. Schemas of forms may use any word of JSON Schema. */
export function isEverKey(type: Definition, key: string): boolean {
  return /PropertySchema$|SelectItems$|^EnumOption$/.test(type) || everKeys[type]?.includes(key) === true;
}

const everTags: ReadonlySet<string> = new Set([
  ...['plan_update', 'plan_removed', 'subagent_update', 'session_message', 'session_message_chunk'],
  ...['acp', 'env_var', 'session'],
]);

/** Whether a draft or an earlier edition has a variant of that name; or it is a custom one, with an underscore. */
export function isEverTag(tag: string): boolean {
  return tag.startsWith('_') || everTags.has(tag);
}
