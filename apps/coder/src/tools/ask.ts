import type { FormValues, ToolReport, UserAnswer } from '@turnwire/agent';
import type { ElicitationPropertySchema, ElicitationSchema } from '@turnwire/protocol';
import { z } from 'zod';
import { defineTool } from './tool.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';

const input = () =>
  z
    .strictObject({
      question: z.string().trim().min(1).max(4_000).describe('What you need to know, and why'),
      choices: z
        .array(z.string().trim().min(1).max(200))
        .min(2)
        .max(20)
        .refine((choices) => new Set(choices).size === choices.length, 'two choices are the same')
        .optional()
        .describe('The user may answer in other words anyway'),
      answer: z
        .enum(['text', 'one', 'several', 'yes-or-no'])
        .optional()
        .describe('Default: one if there are choices, else text'),
    })
    .refine(({ choices, answer }) => choices !== undefined || (answer !== 'one' && answer !== 'several'), {
      message: 'give the choices to choose from',
      path: ['choices'],
    });

type Question = z.infer<ReturnType<typeof input>>;

/** Asks the user a question. */
export const askTool: Tool = defineTool({
  name: 'ask',
  kind: 'other',
  description:
    'Ask the user a question that only they can answer and that blocks your work. Never ask for a password or a key.',
  effect: 'talks',
  input,
  async prepare(question, context) {
    const line = question.question.replaceAll(/\s+/g, ' ');
    return {
      title: line.length > 120 ? `${line.slice(0, 119)}…` : line,
      facts: {},
      run: (report) => ask(question, context, report),
    };
  },
});

async function ask(question: Question, { turn }: ToolContext, report: ToolReport): Promise<ToolResult> {
  const answer = await turn.askUser({
    message: question.question,
    form: formOf(question),
    toolCallId: report.state.toolCallId,
  });
  return answer.outcome === 'answered' ? answered(question, answer.values) : unanswered[answer.outcome];
}

const unanswered: Readonly<Record<Exclude<UserAnswer['outcome'], 'answered'>, ToolResult>> = {
  declined: {
    text: 'The user does not want to answer that. Continue without an answer if that is safe, and report your assumptions.',
  },
  // A user who dismisses a question wants to say something else first.
  cancelled: { text: 'The user dismissed the question.', endTurn: true },
  said: { text: 'The question was put to the user as a message. What they write next is the answer.', endTurn: true },
};

function formOf({ choices, answer }: Question): ElicitationSchema {
  if (answer === 'yes-or-no')
    return { type: 'object', properties: { answer: { type: 'boolean', title: 'Yes?' } }, required: ['answer'] };
  if (choices === undefined)
    return {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Answer', minLength: 1, maxLength: 10_000 } },
      required: ['answer'],
    };
  const field: ElicitationPropertySchema =
    answer === 'several'
      ? { type: 'array', title: 'Choose', items: { type: 'string', enum: [...choices] } }
      : { type: 'string', title: 'Choose', enum: [...choices] };
  // No field is required: the user must be able to choose none.
  const words: ElicitationPropertySchema = { type: 'string', title: 'Or in your own words', maxLength: 10_000 };
  return { type: 'object', properties: { answer: field, words } };
}

function answered({ answer }: Question, values: FormValues): ToolResult {
  const { answer: value, words } = values;
  if (answer === 'yes-or-no') return { text: value === true ? 'Yes.' : 'No.' };
  const chosen = Array.isArray(value) ? value.join(', ') : value;
  const parts = [chosen, words].filter((part) => typeof part === 'string' && part.trim() !== '');
  return { text: parts.length === 0 ? 'The user sent the form without an answer.' : parts.join('\n') };
}
