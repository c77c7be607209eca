import type { HostCall } from '@agentwire/client';
import type { Action } from '@agentwire/client/permissions';

/** What a service of ours is about to do for the agent. */
export function hostAction({ sessionId, roots, ...call }: HostCall): Action {
  const action = { sessionId, roots, source: 'host' as const };
  if (call.method !== 'terminal/create')
    return { ...action, kind: call.method === 'fs/read_text_file' ? 'read' : 'edit', paths: [call.params.path] };
  const { command, args = [], cwd } = call.params;
  const line = args.length === 0 ? command : [command, ...args].map(quoted).join(' ');
  return { ...action, kind: 'execute', command: line, paths: [], ...(typeof cwd === 'string' && { cwd }) };
}

/** A word as a shell reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
