import type { PermissionOption, RequestPermissionOutcome } from './generated/types.ts';
import { turnwireMeta } from './turnwire-meta.ts';

/** The fields of a proposal for the protocol. An agent that has them at the top level gets them there. */
interface Proposed {
  readonly allowFeedback?: unknown;
  readonly feedback?: unknown;
}

/** Whether the agent reads a text that is sent with this option: it says so in the option. */
export function takesFeedback(option: PermissionOption): boolean {
  return isInProtocol(option) || turnwireMeta<'permission option'>(option._meta).allowFeedback === true;
}

/**
 * The outcome of a permission request whose user chose an option. `feedback` is the text of the user for the agent, such as the reason for a
 * rejection; it is left out if the agent does not read it with this option.
 */
export function selectedOutcome(option: PermissionOption, feedback?: string): RequestPermissionOutcome {
  const selected = { outcome: 'selected', optionId: option.optionId } as const;
  if (feedback === undefined || !takesFeedback(option)) return selected;
  return { ...selected, ...(isInProtocol(option) ? { feedback } : { _meta: { turnwire: { feedback } } }) };
}

/** The text of the user in the outcome of a permission request. */
export function feedbackOf(outcome: RequestPermissionOutcome): string | undefined {
  const { _meta } = outcome as { readonly _meta?: Readonly<Record<string, unknown>> | null };
  const { feedback = turnwireMeta<'permission outcome'>(_meta).feedback } = outcome as Proposed;
  return typeof feedback === 'string' && feedback.trim() !== '' ? feedback : undefined;
}

function isInProtocol(option: PermissionOption): boolean {
  return (option as Proposed).allowFeedback === true;
}
