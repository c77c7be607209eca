import type { QuestionChoice, QuestionView } from '@turnwire/permissions';
import type { Choice } from './choice.ts';
import { visibleLine } from '../terminal/clean-text.ts';

/** The user's choice. */
export interface ChosenAnswer {
  readonly choice: QuestionChoice;
  /** The user also writes a message to the agent. */
  readonly hasMessage?: true;
}

/**
 * Makes the choices of a list from the answers to a question: first the label of this program, then the agent's name for it.
 * @param canWriteMessage whether the user can also write a message to the agent
 */
export function answerChoices(
  view: QuestionView,
  { canWriteMessage }: { readonly canWriteMessage: boolean },
): readonly Choice<ChosenAnswer>[] {
  const choices = view.choices.map((choice) => ({
    label: choice.word,
    detail: detailOf(choice, view),
    letter: choice.letter,
    value: { choice },
  }));
  const no = choices.findIndex(({ value }) => value.choice.kind === 'reject_once');
  const refusal = choices[no];
  if (!canWriteMessage || !refusal) return choices;
  const { choice } = refusal.value;
  const withMessage = { label: 'Reject once with a message…', value: { choice, hasMessage: true as const } };
  return [...choices.slice(0, no + 1), withMessage, ...choices.slice(no + 1)];
}

function detailOf({ agentName, isKeptByAgent, remember }: QuestionChoice, { proposedRule }: QuestionView): string {
  const parts = [
    ...(remember && proposedRule !== undefined ? [visibleLine(proposedRule)] : []),
    ...(agentName === undefined ? [] : [`the agent calls it "${visibleLine(agentName).trim()}"`]),
    ...(isKeptByAgent ? ['the agent remembers it'] : []),
  ];
  return parts.join(', ');
}
