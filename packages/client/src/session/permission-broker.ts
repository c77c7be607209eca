import {
  invalidParams,
  type Log,
  type PermissionContext,
  type PermissionOption,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  selectedOutcome,
  takesFeedback,
} from '@turnwire/protocol';
import type { PermissionDecision, PermissionPolicy } from '../permission/permission-policy.ts';
import type { OfChild, PermissionOutcome } from '../transcript/transcript-event.ts';
import { childOfCall } from './asking-child.ts';
import type { AskedByWork } from './session-work.ts';
import type { ToolCallFacts } from './tool-call-facts.ts';
import { TurnSignals } from './turn-signals.ts';

/** A permission request arrived, with everything known about its tool call; or it was answered. */
export type PermissionEvent = OfChild &
  (
    | { readonly type: 'permission-asked'; readonly request: RequestPermissionRequest }
    | { readonly type: 'permission-answered'; readonly outcome: PermissionOutcome }
  );

/** A text for the agent that belongs to an answer, which the agent does not read there. */
export interface UnsentFeedback {
  readonly text: string;
  /** The title of the tool call, if it has one. */
  readonly title?: string | undefined;
}

/** Receives the permission requests of a session. Must not throw. */
export type PermissionListener = (event: PermissionEvent) => void;

/** The inputs of a permission broker. */
export interface PermissionBrokerParts {
  readonly policy: PermissionPolicy;
  /** The folders of the session, its working directory first. */
  readonly roots: readonly string[];
  readonly onPermission: PermissionListener | undefined;
  /** Receives each text for the agent that an answer could not contain. */
  readonly onFeedback?: ((feedback: UnsentFeedback) => void) | undefined;
  /** Receives requests that are refused because they cannot be answered. */
  readonly log?: Log | undefined;
}

/** The context of a request to decide. */
interface Asked extends Partial<AskedByWork> {
  readonly signal: AbortSignal;
  readonly isCancelled: boolean;
  /** The tool calls of its session. */
  readonly calls: ToolCallFacts;
}

/** Completes the permission requests of one session, has them decided, and publishes them. */
export class PermissionBroker {
  readonly #parts: PermissionBrokerParts;
  readonly #pending = new TurnSignals();

  constructor(parts: PermissionBrokerParts) {
    this.#parts = parts;
  }

  /**
   * Decides a request. Once a turn is being cancelled, the policy is not asked. Rejects with -32602 if two options share an id: the answer
   * is an id, so it would be ambiguous.
   */
  async answer(
    asked: RequestPermissionRequest,
    { signal, isCancelled, calls, child, asking, continues }: Asked,
  ): Promise<RequestPermissionResponse> {
    const request = { ...asked, toolCall: calls.merge(asked.toolCall) };
    const publish: PermissionListener = (event) =>
      this.#parts.onPermission?.(child === undefined ? event : { ...event, child });
    publish({ type: 'permission-asked', request });
    const repeated = repeatedId(request.options);
    if (repeated !== undefined) throw this.#refuse(request, { optionId: repeated, publish });
    let [reason, text]: (string | undefined)[] = [];
    const context = {
      explain: (given: string): void => void (reason = given),
      feedback: (given: string): void => void (text = given),
      child: asking ?? childOfCall(calls, request.toolCall),
    };
    const answer = isCancelled
      ? cancelled
      : await this.#pending.run(signal, {
          work: async (withdrawn) => {
            const option = await this.#decide(request, { signal: withdrawn, ...context });
            return this.#response(request, option, withdrawn.aborted ? undefined : text);
          },
          withdrawn: () => cancelled,
          continues,
        });
    publish({ type: 'permission-answered', outcome: outcomeOf(request, answer, reason) });
    return answer;
  }

  /** Answers the pending requests of the turn with `cancelled`, because it is cancelled or has ended; or all of them. */
  cancel(isAll?: boolean): void {
    this.#pending.abort(isAll);
  }

  async #decide(
    request: RequestPermissionRequest,
    context: Omit<PermissionContext, 'roots'>,
  ): Promise<PermissionDecision> {
    const { policy, roots } = this.#parts;
    try {
      return await policy(request, { ...context, roots });
    } catch {
      return undefined;
    }
  }

  /** Only an option that was offered is an answer: the same object, since all its properties, including its kind, come from the agent. */
  #response(
    { options, toolCall: { title } }: RequestPermissionRequest,
    option: PermissionDecision,
    text: string | undefined,
  ): RequestPermissionResponse {
    const isOffered = option !== undefined && options.includes(option);
    if (text !== undefined && !(isOffered && takesFeedback(option)))
      this.#parts.onFeedback?.({ text, ...(title && { title }) });
    return isOffered ? { outcome: selectedOutcome(option, text) } : cancelled;
  }

  #refuse(
    { toolCall: { toolCallId } }: RequestPermissionRequest,
    { optionId, publish }: { readonly optionId: string; readonly publish: PermissionListener },
  ): Error {
    const detail = `several of its options have the id ${JSON.stringify(optionId)}`;
    const reason = `refused: ${detail}, so an answer would be ambiguous`;
    publish({ type: 'permission-answered', outcome: { toolCallId, allowed: false, reason } });
    const about = { direction: 'in', method: 'session/request_permission' } as const;
    this.#parts.log?.({ level: 'warn', event: 'a permission request was refused', ...about, detail });
    return invalidParams(`options: several have the id ${JSON.stringify(optionId)}; give each its own id`);
  }
}

function outcomeOf(
  request: RequestPermissionRequest,
  { outcome }: RequestPermissionResponse,
  reason: string | undefined,
): PermissionOutcome {
  const { toolCallId } = request.toolCall;
  const chosen = 'optionId' in outcome ? outcome.optionId : undefined;
  const option = request.options.find(({ optionId }) => optionId === chosen);
  const allowed = option?.kind.startsWith('allow') ?? false;
  return { toolCallId, ...(option && { optionId: option.optionId }), allowed, reason: reason ?? usualReason(option) };
}

const cancelled: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

/** An id shared by several options. */
function repeatedId(options: readonly PermissionOption[]): string | undefined {
  const ids = new Set<string>();
  return options.find(({ optionId }) => ids.size === ids.add(optionId).size)?.optionId;
}

function usualReason(option: PermissionOption | undefined): string {
  return option ? `answered with "${option.name}"` : 'answered with cancelled: nothing was decided';
}
