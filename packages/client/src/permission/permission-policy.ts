import type {
  PermissionContext,
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionRequest,
} from '@turnwire/protocol';

/**
 * One of the options the agent offered: the object from the request, not a copy of it. Undefined answers `cancelled`, which is never an
 * approval.
 */
export type PermissionDecision = PermissionOption | undefined;

/** Decides a permission request. Throwing, or choosing an option that was not offered, answers `cancelled`. */
export type PermissionPolicy = (
  request: RequestPermissionRequest,
  context: PermissionContext,
) => PermissionDecision | Promise<PermissionDecision>;

/** The first option of the first kind that is offered. Agents list options in any order, so positions have no meaning. */
export function optionOfKind(
  options: readonly PermissionOption[],
  ...kinds: readonly PermissionOptionKind[]
): PermissionDecision {
  for (const kind of kinds) {
    const option = options.find((each) => each.kind === kind);
    if (option) return option;
  }
  return undefined;
}

/** Approves everything, once where the agent offers that. */
export const approveAll: PermissionPolicy = ({ options }) => optionOfKind(options, 'allow_once', 'allow_always');

/** Rejects everything, once; never asks the agent to remember it. */
export const denyAll: PermissionPolicy = ({ options }) => optionOfKind(options, 'reject_once');
