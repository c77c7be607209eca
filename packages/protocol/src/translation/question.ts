import type {
  CreateElicitationRequest as V1ElicitationRequest,
  CreateElicitationResponse as V1ElicitationResponse,
  RequestPermissionOutcome as V1PermissionOutcome,
  RequestPermissionRequest as V1PermissionRequest,
} from '../generated/types.ts';
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionOutcome,
  RequestPermissionRequest,
} from '../generated/v2-types.ts';
import { toolCallInVersion2 } from './update-in-version-2.ts';

/** A permission request of version 1 in version 2: the question is about its tool call. */
export function permissionRequestInVersion2({
  sessionId,
  toolCall,
  options,
  _meta,
}: V1PermissionRequest): RequestPermissionRequest {
  const title = toolCall.title ? `Allow “${toolCall.title}”?` : 'Allow this tool call?';
  const subject = { type: 'tool_call', toolCall: toolCallInVersion2(toolCall) } as const;
  return { sessionId, title, subject, options, ...(_meta && { _meta }) };
}

/** The outcome of a permission request in version 1. Only a selected option can be an approval. */
export function permissionOutcomeInVersion1(outcome: RequestPermissionOutcome): V1PermissionOutcome {
  return outcome.outcome === 'selected' ? outcome : { outcome: 'cancelled' };
}

/** A question of version 1 in version 2, where a form always has a type and fields. */
export function elicitationInVersion2(request: V1ElicitationRequest): CreateElicitationRequest {
  if (request.mode !== 'form') return request as CreateElicitationRequest;
  const { requestedSchema, ...rest } = request as { readonly requestedSchema: object };
  return {
    ...rest,
    requestedSchema: { type: 'object', properties: {}, ...requestedSchema },
  } as unknown as CreateElicitationRequest;
}

/** The answer to a question in version 1. An action that is unknown there is a cancel. */
export function elicitationAnswerInVersion1(answer: CreateElicitationResponse): V1ElicitationResponse {
  const isKnown = answer.action === 'accept' || answer.action === 'decline';
  return isKnown ? (answer as V1ElicitationResponse) : { action: 'cancel' };
}
