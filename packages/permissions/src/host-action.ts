import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { commandShell, type CommandShell, lineWithInput, shellAt } from '@turnwire/machine';
import type { CreateTerminalRequest, HostCall } from '@turnwire/protocol';
import type { Action } from './permissions.ts';
import { isHarmlessVariable, isShell } from './risky-commands.ts';
import { quoted } from './shell-word.ts';
import { textHash } from './text-hash.ts';

/**
 * The action of a host call, for `permissions.allowHostCall`. A variable that may change which programs run makes a command unclear.
 * @param terminals the service that would run a command: names the shell for command lines
 */
export function hostActionOf(
  { sessionId, roots, ...call }: HostCall,
  terminals?: { readonly shell?: CommandShell | undefined },
): Action {
  const who = { sessionId, roots, source: 'host' } as const;
  if (call.method === 'terminal/create') return { ...who, ...commandOf(call.params, roots, terminals?.shell) };
  const kind = call.method === 'fs/read_text_file' ? 'read' : 'edit';
  const written = 'content' in call.params ? { writes: textHash(call.params.content) } : {};
  return { ...who, kind, paths: [call.params.path], ...written };
}

function commandOf(
  request: CreateTerminalRequest,
  roots: readonly string[],
  shell: CommandShell | undefined,
): Omit<Action, 'sessionId' | 'roots' | 'source'> {
  const { cwd } = request;
  const folder = cwd ?? roots[0];
  const variable = changingVariables(request)[0]?.name;
  const unclear = variable === undefined ? ambiguity(request, folder) : `it sets the variable ${variable}`;
  return {
    kind: 'execute',
    ...lineOf(request, shell),
    paths: [],
    ...(folder !== undefined && { cwd: resolve(folder) }),
    ...(unclear !== undefined && { unclear }),
  };
}

/**
 * The line that runs, and the shell that parses it, if known. A shell of this machine with only `-c` runs the line that follows; a program
 * that merely has the name of a shell may run anything.
 */
function lineOf(
  { command, args = [] }: CreateTerminalRequest,
  shell: CommandShell | undefined,
): Pick<Action, 'command' | 'shell'> {
  const [flag, script, ...more] = args;
  const isShellHere =
    command === shell?.path || command === commandShell().path || /^(?:\/usr)?\/bin\/\w+$/.test(command);
  if (isShellHere && isShell(command) && flag === '-c' && script !== undefined && more.length === 0)
    return { command: lineWithInput(script), shell: shellAt(command).reads };
  if (args.length > 0) return { command: [command, ...args].map(quoted).join(' ') };
  return { command, ...(shell && { shell: shell.reads }) };
}

/** The doubt about a command line that may also be the name of a file, which would run instead. */
function ambiguity({ command, args = [] }: CreateTerminalRequest, folder: string | undefined): string | undefined {
  const isBoth = args.length === 0 && /\s/.test(command) && existsSync(resolve(folder ?? '/', command));
  return isBoth ? 'the command line is also the name of a file' : undefined;
}

type Variable = NonNullable<CreateTerminalRequest['env']>[number];

/** The variables that may change what a command does. */
export function changingVariables({ env }: CreateTerminalRequest): readonly Variable[] {
  return (env ?? []).filter((each) => !isHarmlessVariable(each.name) && !isPrecaution(each));
}

/** Whether an agent sets this variable only to prevent waits for a key press, or to hide its model key from commands. */
function isPrecaution({ name, value }: Variable): boolean {
  return value === 'cat' ? name === 'PAGER' || name === 'GIT_PAGER' : value === '' && name.endsWith('_API_KEY');
}
