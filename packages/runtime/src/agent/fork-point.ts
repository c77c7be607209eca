import type { AgentDifferences } from '@turnwire/client/known-agents';
import type { TranscriptEntry } from '@turnwire/client/transcript';
import { type AgentCapabilities, invalidParams, turnwireMeta } from '@turnwire/protocol';
import { beginning } from '../log/cursor-text.ts';
import type { SessionLog } from '../log/session-log.ts';

type Meta = Readonly<Record<string, unknown>>;

/** Adds forks before a prompt to the capabilities of an agent that forks after one of its messages: the gateway converts them. */
export function withForkPoints(
  capabilities: AgentCapabilities,
  differences: AgentDifferences | undefined,
): AgentCapabilities {
  const { sessionCapabilities } = capabilities;
  const { fork } = (sessionCapabilities ?? {}) as { readonly fork?: object | null };
  if (!fork || differences?.forksAfterMessage !== true) return capabilities;
  const forks = { ...fork, _meta: { turnwire: { withoutLast: true } } };
  return {
    ...capabilities,
    sessionCapabilities: { ...sessionCapabilities, fork: forks } as typeof sessionCapabilities,
  };
}

/** Returns `_meta` of a fork without the last prompts, for an agent that forks after one of its messages. */
export async function forkPoint(log: SessionLog, meta: Meta | undefined): Promise<Meta | undefined> {
  const { withoutLast } = turnwireMeta<'session/fork'>(meta);
  if (typeof withoutLast !== 'number' || withoutLast < 1) return undefined;
  await log.stored();
  // Imported on demand: few sessions are forked.
  const { emptyTranscript, reduce } = await import('@turnwire/client/transcript');
  let view = emptyTranscript();
  for await (const event of log.events(beginning, ['prompt', 'update'])) view = reduce(view, event);
  const messageId = lastMessageBefore([...view.entries], withoutLast);
  return { jetbrains: { air: { fork: { version: 1, messageId } } } };
}

/** The agent's last message in the turn before the last prompts. An earlier message would lose part of that turn. */
function lastMessageBefore(entries: readonly TranscriptEntry[], withoutLast: number): string {
  const prompts = entries.flatMap(({ type }, index) => (type === 'user' ? [index] : []));
  const before = entries.slice(prompts.at(-withoutLast - 1) ?? entries.length, prompts.at(-withoutLast));
  const last = before.findLast(({ type }) => type === 'agent');
  if (last?.type === 'agent' && last.messageId !== undefined) return last.messageId;
  throw invalidParams(
    '_meta.turnwire.withoutLast: this agent forks after one of its messages, and there is none in a turn before',
  );
}
