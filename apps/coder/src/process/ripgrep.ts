import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { ToolError } from '../tools/tool-error.ts';

/** Lines ripgrep printed. */
export interface RipgrepLines {
  readonly lines: readonly string[];
  /** There were more lines than asked for. */
  readonly cut: boolean;
}

type Ripgrep = ChildProcessByStdio<null, Readable, Readable>;

// Hidden files are part of a project, its repository's inner files are not; ignore files count even outside a repository.
const always = ['--no-config', '--color=never', '--hidden', '--glob=!.git', '--no-require-git', '--sort=path'];

/**
 * Runs ripgrep in a folder and takes at most `limit` lines of what it prints; it is stopped there.
 * @throws ToolError when ripgrep cannot start or reports an error before printing anything
 */
export async function ripgrep(
  args: readonly string[],
  folder: string,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<RipgrepLines> {
  const child = spawn(await findRipgrep(), [...always, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const complaint = collect(child.stderr, 2000);
  const ended = once(child, 'close').catch(refuseStart(signal));
  const output = await takeLines(child, limit);
  await ended;
  signal.throwIfAborted();
  if (output.lines.length === 0 && child.exitCode !== 0 && child.exitCode !== 1)
    throw new ToolError(`Search failed: ${complaint().trim()}`);
  return output;
}

async function takeLines(child: Ripgrep, limit: number): Promise<RipgrepLines> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (lines.length === limit) {
      child.kill();
      return { lines, cut: true };
    }
    lines.push(line);
  }
  return { lines, cut: false };
}

// The package brings a binary for each platform it knows; elsewhere the person's own serves.
async function findRipgrep(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    return 'rg';
  }
}

function refuseStart(signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    signal.throwIfAborted();
    throw new ToolError(
      `ripgrep, which searches and lists files, could not start (${error instanceof Error ? error.message : String(error)}). Install \`rg\`.`,
    );
  };
}

function collect(stream: Readable, limit: number): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => (text = (text + chunk).slice(0, limit)));
  return () => text;
}
