import { z } from 'zod';
import { runCommand } from '../process/run-command.ts';
import type { CommandResult } from '../process/run-command.ts';
import { shownText } from './shown-content.ts';
import { defineTool } from './tool.ts';
import type { ToolReport } from '@agentwire/agent';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { ToolError } from './tool-error.ts';

const defaultSeconds = 120;
const mostSeconds = 600;

const input = z.strictObject({
  command: z.string().min(1).describe('Shell command to run in the working directory. It gets no input'),
  timeoutSeconds: z
    .number()
    .positive()
    .max(mostSeconds)
    .optional()
    .describe(`When to stop it, in seconds. Default ${defaultSeconds}, at most ${mostSeconds}`),
});

type ExecuteInput = z.infer<typeof input>;

/** Runs a shell command. */
export const executeTool: Tool = defineTool({
  name: 'execute',
  kind: 'execute',
  description:
    'Run a shell command in the working directory and get its exit code and the end of its output. What it starts is stopped when it ends.',
  effect: 'changes',
  input,
  async prepare(execute, context) {
    const line = execute.command.replaceAll(/\s+/g, ' ').trim();
    const title = line.length > 120 ? `${line.slice(0, 119)}…` : line;
    return {
      title,
      ...(title !== execute.command && { preview: [shownText(execute.command)] }),
      facts: { command: execute.command, cwd: context.workspace.cwd },
      run: (report) => runShown(execute, context, report),
    };
  },
});

async function runShown(
  { command, timeoutSeconds = defaultSeconds }: ExecuteInput,
  { workspace, signal }: ToolContext,
  report: ToolReport,
): Promise<ToolResult> {
  const result = await runCommand(command, {
    cwd: workspace.cwd,
    timeout: timeoutSeconds * 1000,
    signal,
    onOutput: (tail) => report.progress([shownText(tail)]),
  });
  const text = `${describeEnd(result, timeoutSeconds)}\n${result.output}`.trimEnd();
  const shown = {
    content: [shownText(text)],
    rawOutput: { exitCode: result.exitCode, signal: result.signal, timedOut: result.timedOut },
  };
  if (result.exitCode !== 0) throw new ToolError(text, shown);
  return { text, ...shown };
}

function describeEnd({ exitCode, signal, timedOut, skipped }: CommandResult, seconds: number): string {
  const end = timedOut
    ? `Stopped: it ran longer than ${seconds} seconds.`
    : exitCode === null
      ? `Ended by ${signal}.`
      : `Exit code ${exitCode}.`;
  return skipped === 0 ? end : `${end} The first ${skipped} characters of the output are left out.`;
}
