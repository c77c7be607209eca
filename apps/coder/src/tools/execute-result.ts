import type { CommandOutcome, ToolReport } from '@turnwire/agent';
import type { ToolCallContent } from '@turnwire/protocol';
import type { CommandLog } from '../process/command-logs.ts';
import { plainOutput } from '../process/plain-output.ts';
import { shownText } from './shown-content.ts';
import { ToolError } from '../tool-error.ts';
import type { ToolResult } from './tool.ts';

/** The facts for a result, besides the outcome of the command. */
export interface ResultParts {
  readonly report: ToolReport;
  readonly log: CommandLog;
  readonly timeoutSeconds: number;
  /** The command ran on this machine, so the log has all of its output. */
  readonly isHere: boolean;
}

/**
 * The report to the model about a command that is over.
 * @throws ToolError with the same text, unless the exit code is 0
 */
export async function commandResult(outcome: CommandOutcome, parts: ResultParts): Promise<ToolResult> {
  const { exitCode, signal, timedOut } = outcome;
  const end = endOf(outcome, parts.timeoutSeconds);
  const text = `${end}${await outputText(outcome, parts.isHere ? parts.log : undefined)}`;
  const content = shownResult(outcome, parts.report) ?? [shownText(text)];
  // Some clients show only the names of their terminals, so the output is added.
  const output = parts.isHere ? undefined : plainOutput(outcome.output).text;
  const result = { content, rawOutput: { exitCode, signal, timedOut, ...(output !== undefined && { output }) } };
  if (exitCode !== 0 || timedOut) throw new ToolError(text, result);
  return { text, ...result };
}

/** The end of an output after a line with its size. Empty for an empty output. */
export async function outputText(
  { output, truncated }: Pick<CommandOutcome, 'output' | 'truncated'>,
  log: CommandLog | undefined,
): Promise<string> {
  const { text, isCut } = plainOutput(output);
  const shown = text.trimEnd();
  if (shown === '') return '';
  if (!isCut && !truncated) return `\n${shown}`;
  const path = await log?.path();
  const rest = path === undefined ? '' : ` The whole output is in ${path}.`;
  return ` The beginning of the output is left out.${rest}\n${shown}`;
}

function endOf({ exitCode, signal, timedOut }: CommandOutcome, seconds: number): string {
  if (timedOut) return `Stopped: it ran longer than ${seconds} seconds.`;
  return exitCode === null ? `Ended by ${signal ?? 'a signal'}.` : `Exit code ${exitCode}.`;
}

/** The content already shown, if nothing has to be added. */
function shownResult(
  { exitCode, output, timedOut }: CommandOutcome,
  { state: { content = [] } }: ToolReport,
): readonly ToolCallContent[] | undefined {
  if (timedOut) return undefined;
  const showsTerminal = content.some(({ type }) => type === 'terminal');
  return showsTerminal || (exitCode === 0 && output !== '') ? content : undefined;
}
