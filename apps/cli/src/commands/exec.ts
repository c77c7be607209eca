import type { Agent, FrameTap, PermissionPolicy } from '@agentwire/client';
import type { ContentBlock } from '@agentwire/protocol';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, complain, explain } from '../failure.ts';
import { openAgent } from '../open-agent.ts';
import type { GlobalOptions } from '../options.ts';
import { openScreen, type TurnScreen } from '../output/turn-screen.ts';
import { decide } from '../permission/decide.ts';
import { PermissionCount } from '../permission/permission-count.ts';
import { type Stop, Stopping } from '../stopping.ts';
import { openSession, runTurn } from './turn-run.ts';

/** Runs one turn and prints it. Resolves with the exit code. */
export async function exec(content: readonly ContentBlock[], options: GlobalOptions): Promise<number> {
  using stopping = new Stopping(options.timeout);
  const screen = openScreen(options, stopping);
  const count = new PermissionCount();
  let agent: Agent | undefined;
  try {
    const permission = count.counted(policyOf(options, screen, stopping));
    agent = await openAgent(options, { permission, tap: tapOf(options, screen), signal: stopping.signal });
    const session = await openSession(agent, options, { ...screen, signal: stopping.signal });
    await runTurn(session, content, { ...screen, stopping });
  } catch (error) {
    if (error instanceof CommandError) throw error;
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

function tapOf({ format }: GlobalOptions, screen: TurnScreen): FrameTap | undefined {
  return format === 'json' ? (_, frame) => screen.frame(frame) : undefined;
}

function policyOf({ permission }: GlobalOptions, { ask, calls }: TurnScreen, stopping: Stopping): PermissionPolicy {
  return (request, { signal }) => {
    calls.merge(request.toolCall);
    return decide(permission, {
      request,
      ...(ask && { ask: () => ask(request, signal) }),
      remark: complain,
      stop: (message) => stopping.stop({ exitCode: exitCodes.denied, message } satisfies Stop),
    });
  };
}
