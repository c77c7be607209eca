import type { Agent, FrameTap } from '@agentwire/client';
import { exitCodes } from '../exit-codes.ts';
import { complain, explain } from '../failure.ts';
import { openAgent } from '../open-agent.ts';
import type { GlobalOptions } from '../options.ts';
import { jsonTap } from '../output/json-tap.ts';
import { QuietView } from '../output/quiet-view.ts';
import { TextView } from '../output/text-view.ts';
import { ToolCalls } from '../output/tool-calls.ts';
import type { View } from '../output/view.ts';
import type { Asking } from '../permission/ask-person.ts';
import { choosePolicy } from '../permission/choose-policy.ts';
import { PermissionCount } from '../permission/permission-count.ts';
import { Stopping } from '../stopping.ts';
import { TypedLines } from '../terminal/lines.ts';
import { paintFor } from '../terminal/paint.ts';
import { openSession, runTurn } from './turn-run.ts';

/** Runs one turn and prints it. Resolves with the exit code. */
export async function exec(prompt: string, options: GlobalOptions): Promise<number> {
  using stopping = new Stopping(options.timeout);
  const calls = new ToolCalls();
  const count = new PermissionCount();
  const view = viewOf(options);
  let agent: Agent | undefined;
  try {
    const permission = count.counted(choosePolicy(options, calls, askingOn(view, stopping)));
    agent = await openAgent(options, { permission, tap: tapOf(options), signal: stopping.signal });
    const session = await openSession(agent, options, { view, calls, signal: stopping.signal });
    await runTurn(session, prompt, { view, calls, stopping });
  } catch (error) {
    if (!stopping.reason) {
      complain(explain(error, agent));
      return exitCodes.error;
    }
  } finally {
    await agent?.close();
  }
  if (stopping.reason?.message) complain(stopping.reason.message);
  return stopping.reason?.exitCode ?? (count.isDenied ? exitCodes.denied : exitCodes.ok);
}

const write = (text: string): void => void process.stdout.write(text);
const silence: View = { update: () => undefined, question: () => undefined, end: () => undefined };

function viewOf({ format }: GlobalOptions): View {
  if (format === 'json') return silence;
  return format === 'quiet'
    ? new QuietView(write)
    : new TextView({ write, paint: paintFor(process.stdout), detailed: false });
}

function tapOf({ format }: GlobalOptions): FrameTap | undefined {
  return format === 'json' ? jsonTap(write) : undefined;
}

function askingOn(view: View, stopping: Stopping): Asking | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  return {
    lines: new TypedLines({ input: process.stdin, output: process.stderr }),
    write: (text) => void process.stderr.write(text),
    paint: paintFor(process.stderr),
    onQuestion: (callId) => view.question(callId),
    onInterrupt: stopping.interrupt,
  };
}
