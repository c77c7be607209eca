import { relative } from 'node:path';
import { runLocally } from '@turnwire/agent/node';
import { globMatcher } from '@turnwire/machine';
import type { HookSettings } from '../config/setting-groups.ts';
import { enclosed } from '../conversation/enclosed.ts';
import { commandEnvironment } from '../process/command-environment.ts';
import { plainOutput } from '../process/plain-output.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import type { CallFacts, Tool } from '../tools/tool.ts';

const defaultSeconds = 60;
/** Bytes of output that are kept, from its end. */
const outputLimit = 16 * 1024;

/** A call that hooks are run for. */
export interface HookedCall {
  readonly tool: Pick<Tool, 'name'>;
  readonly facts: CallFacts;
}

/** Runs the user's commands before a call, in order. Returns the output of the first that fails, as the reason to refuse the call. */
export async function objectionBefore(turn: CoderTurn, call: HookedCall): Promise<string | undefined> {
  for (const hook of hooksFor(turn, 'before', call)) {
    const { isGood, text } = await runHook(turn, hook, call);
    if (!isGood) return `A command of the user's settings forbids this call. ${text}`;
  }
  return undefined;
}

/** Runs the user's commands after a call, in order. Returns their output, for the model. */
export async function reportsAfter(turn: CoderTurn, call: HookedCall): Promise<readonly string[]> {
  const reports: string[] = [];
  for (const hook of hooksFor(turn, 'after', call)) {
    const { isGood, text } = await runHook(turn, hook, call);
    if (!isGood || text !== '') reports.push(text);
  }
  return reports;
}

function hooksFor(turn: CoderTurn, when: 'before' | 'after', { tool, facts }: HookedCall): readonly HookSettings[] {
  const { settings, workspace } = turn.session.memory;
  const paths = (facts.paths ?? []).map((path) => relative(workspace.cwd, path).replaceAll('\\', '/'));
  return (settings.hooks[when] ?? []).filter(({ tools, files }) => {
    const isForFiles = files === undefined || files.map(patternOf).some((fits) => paths.some(fits));
    return (tools === undefined || tools.includes(tool.name)) && isForFiles;
  });
}

/** A pattern without a slash matches in every folder, as in ignore files. */
function patternOf(pattern: string): (path: string) => boolean {
  return globMatcher(pattern.includes('/') ? pattern : `**/${pattern}`, { classes: true });
}

async function runHook(
  turn: CoderTurn,
  { command, timeoutSeconds = defaultSeconds }: HookSettings,
  { tool, facts }: HookedCall,
): Promise<{ readonly isGood: boolean; readonly text: string }> {
  const { workspace, settings } = turn.session.memory;
  const { exitCode, signal, output, timedOut } = await runLocally({
    command,
    cwd: workspace.cwd,
    env: {
      ...commandEnvironment(settings),
      TURNWIRE_TOOL: tool.name,
      TURNWIRE_PATHS: (facts.paths ?? []).join('\n'),
      TURNWIRE_COMMAND: facts.command,
      TURNWIRE_URL: facts.url,
    },
    timeout: timeoutSeconds * 1000,
    outputByteLimit: outputLimit,
    signal: turn.signal,
  });
  const isGood = exitCode === 0 && !timedOut;
  const printed = plainOutput(output).text.trim();
  const end = timedOut ? `was ended after ${timeoutSeconds} seconds` : `exited with ${exitCode ?? signal}`;
  if (isGood && printed === '') return { isGood, text: '' };
  const block = printed === '' ? [] : [enclosed('output', { of: command }, printed)];
  return { isGood, text: [`\`${command}\` ${end}.`, ...block].join('\n') };
}
