/** Serves the built-in agent on stdin and stdout until the client is gone. */
export async function coder(): Promise<void> {
  const { serveCoder } = await import('@agentwire/coder');
  await serveCoder().closed;
}
