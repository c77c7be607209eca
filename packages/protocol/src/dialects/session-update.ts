import { shapes } from '../generated/shapes.ts';
import type { TaggedShape } from '../validation/shape.ts';
import { SeveralValues, type DialectContext, type Reading } from './dialect.ts';
import { isObject, type JsonObject } from '../json-rpc/json-object.ts';
import { renamed, without } from './keys.ts';
import { nowhere } from './reading.ts';
import { applied, within, type Rule } from './rule.ts';

const [, , updates] = shapes.SessionUpdate as TaggedShape<string>;

/** D22: the variant under `type`. */
export function typeAsVariant(update: JsonObject): JsonObject {
  const { type, sessionUpdate } = update;
  const isVariant = sessionUpdate === undefined && typeof type === 'string' && Object.hasOwn(updates, type);
  return isVariant ? renamed(update, 'type', 'sessionUpdate') : update;
}

/** D24, first half: a tool call's variant under `kind`. Neither word is a kind of tool, so it cannot be meant as one. */
export function kindAsVariant(update: JsonObject): JsonObject {
  const { kind, sessionUpdate } = update;
  if (kind !== 'tool_call' && kind !== 'tool_call_update') return update;
  if (sessionUpdate === undefined) return renamed(update, 'kind', 'sessionUpdate');
  return isToolCall(update) ? without(update, ['kind']) : update;
}

/** D35: the current mode as `modeId`. */
export function currentMode(update: JsonObject): JsonObject {
  return update['sessionUpdate'] === 'current_mode_update' ? renamed(update, 'modeId', 'currentModeId') : update;
}

/** Applies rules to tool calls only. */
export function toToolCalls(rules: readonly Rule[]): Rule {
  return (update, context) => (isToolCall(update) ? applied(rules, update, context) : update);
}

/** Applies rules to the content of message chunks only. */
export function toChunks(rules: readonly Rule[]): Rule {
  const content = within('content', rules);
  return (update, context) => (isChunk(update) ? content(update, context) : update);
}

function isToolCall(update: JsonObject): boolean {
  const variant = update['sessionUpdate'];
  return variant === 'tool_call' || variant === 'tool_call_update';
}

function isChunk(update: JsonObject): boolean {
  const variant = update['sessionUpdate'];
  return variant === 'agent_message_chunk' || variant === 'agent_thought_chunk' || variant === 'user_message_chunk';
}

/**
 * Reads `session/update` by rules for the update inside. Suspects messages that the rules would change, among those that `mayDeviate`
 * selects.
 */
export function updateReading(rules: readonly Rule[], mayDeviate: (params: unknown) => boolean): Reading {
  const update = within('update', rules);
  const rewrite = (params: unknown, context: DialectContext): unknown => {
    if (!isObject(params)) return params;
    const chunks = messageChunks(params, context);
    if (chunks === undefined) return update(params, context);
    const values = chunks.map((chunk) => update(chunk, context));
    return values.length === 1 ? values[0] : new SeveralValues(values);
  };
  return { rewrite, suspects: (params) => mayDeviate(params) && rewrite(params, nowhere) !== params };
}

/**
 * True for tool calls in which something may go by another name. Everything that is streamed passes here, so it reads a few
 * named properties and allocates nothing. Message chunks are let through: one without a variant fails the schema anyway, and a
 * block in one that passes the schema is not looked at.
 */
export function mayHoldAliases(params: unknown): boolean {
  if (!isObject(params) || !isObject(params['update']) || !isToolCall(params['update'])) return false;
  const { toolKind, input, output, location, content } = params['update'];
  if (toolKind !== undefined || input !== undefined || output !== undefined || location !== undefined) return true;
  return Array.isArray(content) && !content.every(isPlainContent);
}

/** True for content that is wrapped, and holds no resource: those may be spelled in other ways. */
function isPlainContent(item: unknown): boolean {
  if (!isObject(item)) return true;
  const { type, content } = item;
  if (type !== 'content') return type === 'diff' || type === 'terminal';
  return !isObject(content) || content['type'] === 'text' || content['type'] === 'image';
}

const chunkOfRole: ReadonlyMap<unknown, string> = new Map([
  ['agent', 'agent_message_chunk'],
  ['assistant', 'agent_message_chunk'],
  ['user', 'user_message_chunk'],
]);

/** D23: a whole message is one chunk for each of its blocks, all with one message id. */
function messageChunks(params: JsonObject, { freshId }: DialectContext): readonly JsonObject[] | undefined {
  const update = params['update'];
  if (!isObject(update) || update['sessionUpdate'] !== undefined || update['type'] !== 'message') return undefined;
  const { type: _, role, content, ...rest } = update;
  const sessionUpdate = chunkOfRole.get(role);
  if (sessionUpdate === undefined || !Array.isArray(content)) return undefined;
  const messageId = rest['messageId'] ?? freshId('turnwire-message-');
  return content.map((block) => ({ ...params, update: { ...rest, sessionUpdate, messageId, content: block } }));
}
