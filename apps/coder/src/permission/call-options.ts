import type { PermissionOption } from '@turnwire/protocol';
import type { CallFacts } from '../tools/tool.ts';

/**
 * The answers to the question whether a call may run. There is at most one of each kind: some clients show one answer per kind, with
 * a name of their own. An answer for the session quotes the rule it adds.
 * @param proposal the rule that would be added. Undefined: there is no such answer
 */
export function callOptions(proposal: string | undefined, { paths = [] }: CallFacts): readonly PermissionOption[] {
  const always = (verb: 'allow' | 'reject'): PermissionOption => ({
    optionId: `${verb}_session`,
    name: `Always ${verb} ${proposal} in this session`,
    kind: `${verb}_always`,
  });
  return [
    { optionId: 'allow_once', name: 'Allow once', kind: 'allow_once' },
    ...(proposal === undefined ? [] : [always('allow')]),
    { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
    // A rule about a folder of files would forbid far more than the user meant.
    ...(proposal === undefined || paths.length > 0 ? [] : [always('reject')]),
  ];
}
