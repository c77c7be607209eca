import { resolve } from 'node:path';
import type { CreateTerminalRequest } from '@turnwire/protocol';
import type { HostCall } from '../agent/host-gate.ts';
import type { Action } from './permissions.ts';
import { isHarmlessVariable } from './risky-commands.ts';
import { quoted } from './shell-word.ts';

/**
 * What a service of the client is about to do for the agent, for `permissions.allowHostCall`. A variable that may change which
 * programs run makes a command one that cannot be told.
 */
export function hostActionOf({ sessionId, roots, ...call }: HostCall): Action {
  const who = { sessionId, roots, source: 'host' } as const;
  if (call.method === 'terminal/create') return { ...who, ...commandOf(call.params, roots) };
  const kind = call.method === 'fs/read_text_file' ? 'read' : 'edit';
  return { ...who, kind, paths: [call.params.path] };
}

function commandOf(
  { command, args, cwd, env }: CreateTerminalRequest,
  roots: readonly string[],
): Omit<Action, 'sessionId' | 'roots' | 'source'> {
  const line = args?.length ? [command, ...args].map(quoted).join(' ') : command;
  const folder = cwd ?? roots[0];
  const variable = env?.find((each) => !isHarmlessVariable(each.name) && !isPrecaution(each))?.name;
  return {
    kind: 'execute',
    command: line,
    paths: [],
    ...(folder !== undefined && { cwd: resolve(folder) }),
    ...(variable !== undefined && { unclear: `it sets the variable ${variable}` }),
  };
}

/** What agents set so that no command waits for somebody to press a key, or learns the key of their model. */
function isPrecaution({ name, value }: NonNullable<CreateTerminalRequest['env']>[number]): boolean {
  return value === 'cat' ? name === 'PAGER' || name === 'GIT_PAGER' : value === '' && name.endsWith('_API_KEY');
}
