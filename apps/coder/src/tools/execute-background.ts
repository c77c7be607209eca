import type { BackgroundCommand } from '../process/background-command.ts';
import { commandEnvironment } from '../process/command-environment.ts';
import { outputText } from './execute-result.ts';
import { shownText } from './shown-content.ts';
import type { PreparedCall, ToolContext, ToolResult } from './tool.ts';

/** Starts a command that outlives the call. */
export async function startInBackground(
  command: string,
  { background, workspace, settings }: ToolContext,
): Promise<ToolResult> {
  const { id } = background.start({ command, cwd: workspace.cwd, env: commandEnvironment(settings) });
  const text = `Runs in the background as ${id}. Call execute with this id to see what it printed, and with stop to end it.`;
  return { text, content: [shownText(`Runs in the background as ${id}.`)] };
}

/** Reads the output of a background command, or stops it. The permission for the command covers this. */
export function controlBackground(id: string, stop: boolean, { background, workspace }: ToolContext): PreparedCall {
  const found = background.get(id);
  return {
    title: `${stop ? 'Stop' : 'Look at'} ${id}`,
    facts: { command: found.command, cwd: workspace.cwd },
    ask: async () => ({ outcome: 'allowed' }),
    run: async () => {
      if (stop) await found.stop();
      const { text, isOver } = await lookAt(found, stop);
      if (isOver) background.forget(id);
      return { text };
    },
  };
}

async function lookAt(command: BackgroundCommand, wasStopped: boolean): Promise<{ text: string; isOver: boolean }> {
  const { output, isCut, end } = command.takeOutput();
  const printed = await outputText({ output, truncated: isCut }, command.log);
  return { text: `${stateOf(end, wasStopped)}${printed || ' It printed nothing more.'}`, isOver: end !== undefined };
}

function stateOf(end: ReturnType<BackgroundCommand['takeOutput']>['end'], wasStopped: boolean): string {
  if (end === undefined) return 'It runs.';
  if (end instanceof Error) return wasStopped ? 'It is stopped.' : `It could not be run: ${end.message}.`;
  return end.exitCode === null ? `It was ended by ${end.signal}.` : `It ended with exit code ${end.exitCode}.`;
}
