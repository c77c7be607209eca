import type { Question } from '@turnwire/client/permissions';
import type { PermissionOption } from '@turnwire/protocol';
import { cleanLine, visibleText } from '../../terminal/clean-text.ts';
import type { Choice } from './choice-list.ts';

/** What a choice answers. */
export interface PermissionChoice {
  readonly option: PermissionOption;
  /** Where we remember it as the proposed rule. */
  readonly remember?: 'session' | 'project';
  /** The person also writes to the agent. */
  readonly tellsAgent?: true;
}

type Choices = readonly Choice<PermissionChoice>[];

/** The answers to a question, whatever their order: to allow, first once, then for longer; then to deny. */
export function permissionChoices({ request, proposedRule }: Question): Choices {
  const of = (kind: string): PermissionOption[] => request.options.filter((option) => option.kind === kind);
  const known = new Set(['allow_once', 'allow_always', 'reject_once', 'reject_always']);
  const [once] = of('allow_once');
  const rule = once && proposedRule;
  return [
    ...each(of('allow_once'), 'Allow once', 'y'),
    ...(once && rule !== undefined ? ruled(once, visibleText(rule)) : []),
    // One rule is offered once: ours holds for what the agent does through us, too.
    ...each(
      of('allow_always').filter(({ name }) => rule === undefined || !name.includes(rule)),
      'Always',
    ).map(byAgent),
    ...each(of('reject_once'), 'Deny', 'n'),
    ...of('reject_once')
      .slice(0, 1)
      .map((option) => ({ label: 'Deny, and tell the agent…', value: { option, tellsAgent: true as const } })),
    ...each(of('reject_always'), 'Never').map(byAgent),
    ...each(
      request.options.filter(({ kind }) => !known.has(kind)),
      '',
    ),
  ];
}

/** Options of one kind: by our word for it, with the agent's own behind; by the agent's alone where there are several. */
function each(options: readonly PermissionOption[], word: string, letter?: string): Choices {
  return options.map((option) => {
    const name = cleanLine(option.name);
    if (options.length > 1 || word === '') return { label: name, detail: word, value: { option } };
    const detail = name === '' || name.toLowerCase() === word.toLowerCase() ? undefined : name;
    return { label: word, detail, letter, value: { option } };
  });
}

function ruled(option: PermissionOption, rule: string): Choices {
  return [
    { label: 'Always in this session', detail: rule, value: { option, remember: 'session' } },
    { label: 'Always in this project', detail: rule, value: { option, remember: 'project' } },
  ];
}

function byAgent(choice: Choice<PermissionChoice>): Choice<PermissionChoice> {
  const detail = choice.detail === undefined ? '' : `${choice.detail}: `;
  return { ...choice, detail: `${detail}the agent remembers it` };
}
