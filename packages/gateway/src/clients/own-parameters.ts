import { invalidParams, type TurnwireMethods, type TurnwireRequest } from '@turnwire/protocol';

/** The session id in the parameters of one of our own methods. */
export function sessionIdIn(method: TurnwireRequest | 'session/fork', params: unknown): string {
  const { sessionId } = (params ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof sessionId !== 'string') throw invalidParams(`${method}: { sessionId } is needed`);
  return sessionId;
}

/** The session id and one more required string in the parameters of one of our own methods. */
export function withText<Method extends TurnwireRequest>(
  method: Method,
  params: unknown,
  key: keyof TurnwireMethods[Method]['params'] & string,
): { readonly sessionId: string; readonly value: string } {
  const { sessionId, [key]: value } = (params ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof sessionId !== 'string' || typeof value !== 'string')
    throw invalidParams(`${method}: { sessionId, ${key} } is needed`);
  return { sessionId, value };
}
