import type { RequestPermissionRequest, SessionUpdate, ToolCallContent, ToolCallUpdate } from '../generated/types.ts';
import type { RequestPermissionRequest as V2Request } from '../generated/v2-types.ts';
import { type ReportedSession, withCall } from './updates-in-version-1.ts';

/** Requests of version 2 by the options of the requests that are made from them: copies of a request have the same options. */
const saidQuestions = new WeakMap<object, V2Request>();

/** Records the request of version 2 for {@link saidQuestion}. No message can contain it. */
export function withSaidQuestion(request: RequestPermissionRequest, asked: V2Request): RequestPermissionRequest {
  const copy = { ...request, options: [...request.options] };
  saidQuestions.set(copy.options, asked);
  return copy;
}

/** The title, description and subject of a question, as the agent sent them in version 2. Empty if the agent speaks version 1. */
export function saidQuestion({
  options,
}: RequestPermissionRequest): Partial<Pick<V2Request, 'title' | 'description' | 'subject'>> {
  const asked = saidQuestions.get(options);
  if (!asked) return {};
  const { title, description, subject } = asked;
  return { title, ...(description && { description }), subject: subject ?? null };
}

/** A permission request in the form of version 1, which always asks about a tool call. */
export interface QuestionInVersion1 {
  readonly request: RequestPermissionRequest;
  /** Updates of the call, to deliver before the request. */
  readonly before: readonly SessionUpdate[];
  /** Updates to deliver after the answer: a call that exists only for the question ends with it. */
  readonly after: readonly SessionUpdate[];
}

/**
 * A permission request of version 2 in the form of version 1, with the updates that announce and end its tool call.
 * @param id the id of the call, if the request does not name one
 */
export function questionInVersion1(session: ReportedSession, asked: V2Request, id: string): QuestionInVersion1 {
  const { sessionId, options, _meta } = asked;
  const request = (toolCall: ToolCallUpdate): RequestPermissionRequest =>
    ({ sessionId, toolCall, options, ...(_meta && { _meta }) }) as RequestPermissionRequest;
  const { subject } = asked;
  if (subject?.type === 'tool_call') {
    const { toolCallId, ...fields } = subject.toolCall;
    if (session.calls.has(toolCallId) && Object.keys(fields).length === 0)
      return { request: request(explained({ toolCallId }, asked)), before: [], after: [] };
    const [call, ...more] = withCall(session, withTitle(session, subject.toolCall, asked.title));
    const { sessionUpdate: _, ...toolCall } = call as SessionUpdate & ToolCallUpdate;
    return { request: request(explained(toolCall, asked)), before: [call as SessionUpdate, ...more], after: [] };
  }
  const command = subject?.type === 'command' ? subject : undefined;
  const toolCallId = command?.toolCallId ?? id;
  const input = command && ({ kind: 'execute', rawInput: { command: command.command, cwd: command.cwd } } as const);
  if (command?.toolCallId)
    return { request: request(explained({ toolCallId, ...input }, asked)), before: [], after: [] };
  const after = { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' } as const;
  const toolCall = { toolCallId, title: asked.title, ...input };
  return { request: request(explained(toolCall, asked)), before: [], after: [after] };
}

/** A new call without a title gets the title of the question. */
function withTitle<Call extends { readonly toolCallId: string; readonly title?: string | null | undefined }>(
  { calls }: ReportedSession,
  call: Call,
  title: string,
): Call {
  return call.title === undefined && !calls.has(call.toolCallId) ? { ...call, title } : call;
}

/** The description of a question is part of the content. */
function explained(toolCall: ToolCallUpdate, { description }: V2Request): ToolCallUpdate {
  return description ? { ...toolCall, content: [...(toolCall.content ?? []), paragraph(description)] } : toolCall;
}

/** A request for clients that show no other text of a question than its tool call: the title is part of the content, unless the call has it. */
export function withTitleInContent(
  request: RequestPermissionRequest,
  title: string | undefined,
): RequestPermissionRequest {
  const { toolCall } = request;
  if (title === undefined || title === toolCall.title) return request;
  return { ...request, toolCall: { ...toolCall, content: [paragraph(title), ...(toolCall.content ?? [])] } };
}

function paragraph(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}
