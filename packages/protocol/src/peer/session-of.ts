/** The session a message belongs to, if its parameters name one. */
export function sessionOf(params: unknown): string | undefined {
  const session = (params as { readonly sessionId?: unknown } | null | undefined)?.sessionId;
  return typeof session === 'string' ? session : undefined;
}
