import type { QuestionChoice, QuestionView } from '@turnwire/permissions';
import type { Choice } from './choice.ts';
import { visibleLine } from '../terminal/clean-text.ts';

/** The user's answer: one of the choices of the view, and perhaps a text for the agent, such as the reason for a rejection. */
export interface UserAnswer {
  readonly choice: QuestionChoice;
  readonly feedback?: string | undefined;
}

/** The user's choice. */
export interface ChosenAnswer {
  readonly choice: QuestionChoice;
  /** The user also says why, to the agent. */
  readonly hasReason?: true;
}

/** Makes the choices of a list from the answers to a question: first the label of this program, then the agent's name for it. */
export function answerChoices(view: QuestionView): readonly Choice<ChosenAnswer>[] {
  const choices = view.choices.map((choice) => ({
    label: choice.word,
    detail: detailOf(choice, view),
    letter: choice.letter,
    value: { choice },
  }));
  const no = choices.findIndex(({ value }) => value.choice.kind === 'reject_once');
  const refusal = choices[no];
  if (!refusal) return choices;
  const { choice } = refusal.value;
  const withReason = { label: 'Reject once and say why…', letter: 'r', value: { choice, hasReason: true as const } };
  return [...choices.slice(0, no + 1), withReason, ...choices.slice(no + 1)];
}

function detailOf({ agentName, isKeptByAgent, remember }: QuestionChoice, { proposedRule }: QuestionView): string {
  const parts = [
    ...(remember && proposedRule !== undefined ? [visibleLine(proposedRule)] : []),
    ...(agentName === undefined ? [] : [`the agent calls it "${visibleLine(agentName).trim()}"`]),
    ...(isKeptByAgent ? ['the agent remembers it'] : []),
  ];
  return parts.join(', ');
}
