import type { ToolReport } from '@turnwire/agent';
import { commandShell } from '@turnwire/machine';
import { z } from 'zod';
import { commandEnvironment } from '../process/command-environment.ts';
import { confinedRun, runConfined } from '../process/confined-command.ts';
import { controlBackground, startInBackground } from './execute-background.ts';
import { commandResult } from './execute-result.ts';
import { shownText } from './shown-content.ts';
import { defineTool } from './tool.ts';
import type { PreparedCall, Tool, ToolContext, ToolResult } from './tool.ts';

const { path: shell } = commandShell();
const defaultSeconds = 120;
const mostSeconds = 600;

const input = () =>
  z
    .strictObject({
      command: z.string().min(1).optional(),
      timeoutSeconds: z
        .number()
        .positive()
        .max(mostSeconds)
        .optional()
        .describe(`Default ${defaultSeconds}. Not for the background`),
      background: z.boolean().optional().describe('Return at once with an id, for servers and watchers'),
      id: z
        .string()
        .optional()
        .describe('Instead of a command: the id of a background command, whose new output is returned'),
      stop: z.boolean().optional().describe('Stop the command with this id'),
    })
    .refine(({ command, id }) => (command === undefined) !== (id === undefined), 'Give a command or an id, not both');

/** Runs a shell command. */
export const executeTool: Tool = defineTool({
  name: 'execute',
  kind: 'execute',
  description: `Run a command line with ${shell} in the working directory, without input; get its exit code and the end of its output. Processes it starts are stopped when it ends; in the background it runs until it is stopped or the session ends.`,
  effect: 'changes',
  input,
  async prepare({ command, id, timeoutSeconds = defaultSeconds, background = false, stop = false }, context) {
    if (command === undefined) return controlBackground(String(id), stop, context);
    await context.workspace.requireCwd();
    const call = preparedCommand(command, context);
    return {
      ...call,
      run: background
        ? () => startInBackground(command, context)
        : (report) => runInTurn(report, { command, timeoutSeconds, context }),
    };
  },
});

function preparedCommand(command: string, { workspace }: ToolContext): Omit<PreparedCall, 'run'> {
  const line = command.replaceAll(/\s+/g, ' ').trim();
  const title = line.length > 120 ? `${line.slice(0, 119)}…` : line;
  return {
    title,
    ...(title !== command && { preview: [shownText(command)] }),
    facts: { command, cwd: workspace.cwd },
  };
}

async function runInTurn(
  report: ToolReport,
  {
    command,
    timeoutSeconds,
    context: { turn, workspace, background, settings },
  }: { readonly command: string; readonly timeoutSeconds: number; readonly context: ToolContext },
): Promise<ToolResult> {
  const log = background.logs.begin();
  const { cwd, roots } = workspace;
  const onOutput = (text: string): void | Promise<void> => log.append(text);
  // Terminals of a client run such a line in their own way.
  const confined = turn.client.terminals ? undefined : await confinedRun(command, { cwd, roots, signal: turn.signal });
  const outcome = confined
    ? await runConfined(confined, turn.signal, onOutput)
    : await turn.commands.run(report, {
        command,
        cwd,
        env: commandEnvironment(settings),
        timeout: timeoutSeconds * 1000,
        onOutput,
      });
  return commandResult(outcome, { report, log, timeoutSeconds, isHere: !turn.client.terminals });
}
