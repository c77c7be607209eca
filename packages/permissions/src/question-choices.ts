import type { PermissionOption, QuestionChoice } from '@turnwire/protocol';
import type { Answer, Question } from './permissions.ts';

/** The answers to a question, in a fixed order. */
export function questionChoices(
  options: readonly PermissionOption[],
  proposedRule: string | undefined,
): readonly QuestionChoice[] {
  const of = (kind: string): IndexedOption[] => indexed(options).filter((each) => each.kind === kind);
  const known = new Set(['allow_once', 'allow_always', 'reject_once', 'reject_always']);
  const [once] = of('allow_once');
  const rule = once && proposedRule;
  return [
    ...allowedOnce(of('allow_once')),
    ...(once && rule !== undefined ? remembered(once) : []),
    // Only one rule is offered: ours also applies to the agent's host calls.
    ...keptByAgent(
      of('allow_always').filter(({ name }) => rule === undefined || !name.includes(rule)),
      'Allow always',
    ),
    ...withRejectLetter([
      ...of('reject_once').map((option) => choice(option, 'Reject once')),
      ...keptByAgent(of('reject_always'), 'Reject always'),
    ]),
    ...indexed(options)
      .filter(({ kind }) => !known.has(kind))
      .map((option) => choice(option, 'Another answer')),
  ];
}

/**
 * The answer for a choice. Undefined, for `cancelled`, if the question does not have this choice.
 * @param feedback a text for the agent, such as why the user rejects the action
 */
export function answerOf({ request, view }: Question, choice: QuestionChoice | undefined, feedback?: string): Answer {
  const option = choice && view.choices.includes(choice) ? request.options[choice.option] : undefined;
  if (!option) return undefined;
  return { option, ...(choice?.remember && { remember: choice.remember }), ...(feedback && { feedback }) };
}

interface IndexedOption extends PermissionOption {
  readonly index: number;
}

function indexed(options: readonly PermissionOption[]): IndexedOption[] {
  return options.map((option, index) => ({ ...option, index }));
}

/** The choice to allow once. It has no letter if there are several options, because the letter would be ambiguous. */
function allowedOnce(options: readonly IndexedOption[]): readonly QuestionChoice[] {
  return options.map((option) => ({ ...choice(option, 'Allow once'), ...(options.length === 1 && { letter: 'y' }) }));
}

/** The number of characters shown of the agent's name for an answer. */
const longestName = 60;

/** Gives the first rejection its letter, which is the same for every question, however many rejections the agent offers. */
function withRejectLetter([first, ...others]: readonly QuestionChoice[]): readonly QuestionChoice[] {
  return first === undefined ? [] : [{ ...first, letter: 'n' }, ...others];
}

function remembered(once: IndexedOption): readonly QuestionChoice[] {
  const { kind, index: option } = once;
  return (['session', 'project'] as const).map((remember) => ({
    word: `Allow always in this ${remember}`,
    kind,
    remember,
    option,
  }));
}

function keptByAgent(options: readonly IndexedOption[], word: string): readonly QuestionChoice[] {
  return options.map((option) => ({ ...choice(option, word), isKeptByAgent: true }));
}

function choice({ name, kind, index: option }: IndexedOption, word: string): QuestionChoice {
  const isSaid = name.trim() === '' || usualNames[kind]?.includes(name.trim().toLowerCase());
  return { word, ...(!isSaid && { agentName: shortened(name.trim()) }), kind, option };
}

/** Shortens a name, because a long one would push the other answers off the screen. */
function shortened(name: string): string {
  // A name may have megabytes, and an emoji several units.
  const characters = Array.from(name.slice(0, 4 * longestName));
  return characters.length <= longestName ? name : `${characters.slice(0, longestName - 1).join('')}…`;
}

/** Common names of options, which repeat our labels. */
const usualNames: Readonly<Record<string, readonly string[] | undefined>> = {
  allow_once: ['allow', 'allow once', 'accept', 'approve', 'yes'],
  allow_always: ['always', 'allow always', 'always allow'],
  reject_once: ['reject', 'reject once', 'deny', 'no'],
  reject_always: ['never', 'reject always', 'always reject'],
};
