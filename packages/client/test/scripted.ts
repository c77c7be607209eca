import { fileURLToPath } from 'node:url';
import type { Agent, Session, Turn, TurnResult } from '@turnwire/client';
import { launchAgent, type LaunchOptions } from '@turnwire/client/node';
import type { SessionUpdate } from '@turnwire/protocol';

/** The command of the scripted agent. */
export function scripted(...words: readonly string[]): readonly string[] {
  return [process.execPath, fileURLToPath(new URL('fixtures/scripted-agent.mjs', import.meta.url)), ...words];
}

/** Runs `work` in a session with the scripted agent, and always ends the agent. */
export async function inSession<Value>(
  options: LaunchOptions,
  work: (session: Session, agent: Agent) => Promise<Value>,
): Promise<Value> {
  const agent = await launchAgent(scripted(), options);
  try {
    return await work(await agent.newSession({ cwd: process.cwd() }), agent);
  } finally {
    await agent.close();
  }
}

/** The text of the agent's messages. */
export function textOf(updates: Iterable<SessionUpdate>): string {
  return [...updates]
    .map((update) =>
      'content' in update && update.sessionUpdate === 'agent_message_chunk' && 'text' in update.content
        ? update.content.text
        : '',
    )
    .join('');
}

/** Reads a turn to its end. */
export async function collect(turn: AsyncIterable<SessionUpdate>): Promise<SessionUpdate[]> {
  const updates: SessionUpdate[] = [];
  for await (const update of turn) updates.push(update);
  return updates;
}

/** Cancels a turn once the agent works on it, which the scripted agent announces first. */
export async function cancelUnderWay(turn: Turn): Promise<TurnResult> {
  for await (const _ of turn) break;
  return turn.cancel();
}
