import { type Agent, launchAgent, type PermissionPolicy } from '@agentwire/client';
import { clientInfo, driving } from '../driving.ts';
import { decide } from '../permission/decide.ts';
import type { SessionRecord } from '../store/session-record.ts';
import type { OwnerStart } from './owner-protocol.ts';
import type { PromptQueue } from './prompt-queue.ts';

/** What an owned agent is started with. */
export interface OwnedAgentParts {
  readonly start: OwnerStart;
  readonly record: SessionRecord;
  readonly queue: PromptQueue;
  readonly signal: AbortSignal;
}

/** Starts the agent of an owned session: whoever is served now hears its frames and answers its questions. */
export function openOwnedAgent({ start, record, queue, signal }: OwnedAgentParts): Promise<Agent> {
  return launchAgent(start.command, {
    cwd: record.cwd,
    env: start.env,
    inheritEnv: start.inheritEnv,
    clientInfo: clientInfo(),
    permission: policyOf(queue),
    tap: (_, frame) => queue.listening?.audience.frame(frame),
    signal,
    ...driving,
  });
}

/** Nobody is asked, and nothing granted, outside a turn. */
function policyOf(queue: PromptQueue): PermissionPolicy {
  return (request, context) => {
    const job = queue.running;
    if (!job) return undefined;
    const { audience, order } = job;
    const decision = decide(order.permission, {
      request,
      ...(order.canAsk && audience.isThere && { ask: () => audience.ask(request, context.signal) }),
      remark: (message) => audience.remark(message),
      stop: (message) => job.cancel({ reason: 'cannot-ask', message }),
    });
    return job.permissions.note(decision);
  };
}
