import type { GivenRule } from '@turnwire/permissions';
import type { PermissionOption } from '@turnwire/protocol';
import type { CallFacts } from '../tools/tool.ts';
import type { RulePlace } from './session-permissions.ts';

const places = ['session', 'project'] as const satisfies readonly RulePlace[];

/**
 * What a person may answer to the question whether a call may run. An answer that holds for longer names the rule it makes, word
 * for word.
 * @param proposal the rule that would be remembered. Undefined: there is no such answer
 */
export function callOptions(proposal: string | undefined, { paths = [] }: CallFacts): readonly PermissionOption[] {
  return [
    { optionId: 'allow_once', name: 'Allow once', kind: 'allow_once' },
    ...(proposal === undefined ? [] : places.map((place) => always('allow', proposal, place))),
    { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
    // A rule about a folder of files forbids far more than was asked.
    ...(proposal === undefined || paths.length > 0 ? [] : [always('reject', proposal, 'session')]),
  ];
}

/** The rule an answer makes, and where. Undefined: it is for this once. */
export function ruleOfOption(
  { optionId }: PermissionOption,
  text: string,
): (GivenRule & { readonly place: RulePlace }) | undefined {
  const [verb, place] = optionId.split('_');
  const found = places.find((each) => each === place);
  return found && { effect: verb === 'allow' ? 'allow' : 'deny', text, place: found };
}

function always(verb: 'allow' | 'reject', rule: string, place: (typeof places)[number]): PermissionOption {
  const name = `Always ${verb} ${rule} in this ${place}`;
  return { optionId: `${verb}_${place}`, name, kind: `${verb}_always` };
}
