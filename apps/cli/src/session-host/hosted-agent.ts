import type { Agent, Host } from '@turnwire/client';
import type { TraceWriter } from '@turnwire/trace/node';
import { drive } from '../driving/drive.ts';
import type { SessionRecord } from '../store/session-record.ts';
import type { HostStart } from './host-protocol.ts';
import type { PromptQueue } from './prompt-queue.ts';

/** What the agent of a session host is started with. */
export interface HostedAgentParts {
  readonly start: HostStart;
  readonly record: SessionRecord;
  readonly host: Host;
  readonly queue: PromptQueue;
  readonly trace: TraceWriter | undefined;
  readonly signal: AbortSignal;
}

/** Starts the agent of a session host: the current subscriber receives its frames and answers its questions. */
export function openOwnedAgent({ start, record, host, queue, trace, signal }: HostedAgentParts): Promise<Agent> {
  return drive({
    words: start.command,
    cwd: record.cwd,
    env: start.env,
    inheritEnv: start.inheritEnv,
    differences: start.differences,
    host,
    permissions: () => queue.running?.permissions,
    auth: record.settings.auth,
    tap: (direction, frame) => {
      trace?.tap(direction, frame);
      queue.listening?.subscriber.frame(frame);
    },
    signal,
  });
}
