import { randomUUID } from 'node:crypto';
import type { PermissionOption, RequestPermissionRequest, ToolCallContent } from '@turnwire/protocol';
import type { Action } from './permissions.ts';

/** The answers to a question about a host call. */
export const hostOptions: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

/** The beginning of ids of host calls that belong to no tool call. */
const hostCall = 'host-';

/** The maximum length of both texts of a diff together, in characters. Longer ones are not compared while an agent waits. */
const longestDiff = 1024 * 1024;

/** A diff to show, or a sentence in its place. */
function showable(content: ToolCallContent): ToolCallContent {
  if (content.type !== 'diff' || !('newText' in content)) return content;
  const [before, after] = [content.oldText?.length ?? 0, content.newText.length];
  if (before + after <= longestDiff) return content;
  const text = `The text it writes is too long to be shown: ${after} characters, replacing ${before}`;
  return { type: 'content', content: { type: 'text', text } };
}

/** Whether a question is about a host call that belongs to no tool call of the agent. */
export function isOfHost({ toolCall }: RequestPermissionRequest): boolean {
  return toolCall.toolCallId.startsWith(hostCall);
}

/** The question about a host call, as a request the agent could have sent. */
export function hostRequest(
  { sessionId, toolCallId, kind, command, cwd, paths }: Action,
  content: readonly ToolCallContent[] = [],
): RequestPermissionRequest {
  const title = command ?? `${kind} ${paths.join(', ')}`;
  const known = {
    toolCallId: toolCallId ?? `${hostCall}${randomUUID()}`,
    title,
    kind: kind as 'edit',
    status: 'pending',
  } as const;
  const rawInput = command === undefined ? undefined : { command, ...(cwd !== undefined && { cwd }) };
  const toolCall = {
    ...known,
    locations: paths.map((path) => ({ path })),
    ...(rawInput && { rawInput }),
    ...(content.length > 0 && { content: content.map(showable) }),
  };
  return { sessionId, toolCall, options: hostOptions };
}
