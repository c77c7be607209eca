import type { LanguageModelV3Prompt, LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import { explainInstructions, reportResults } from './answers.ts';
import type { Outcome } from './answers.ts';
import { parseInstructions } from './parse-instructions.ts';
import type { Ending, Instruction, ToolInstruction } from './parse-instructions.ts';

/** What the model says or thinks. */
export type Spoken = { readonly say: string } | { readonly think: string };

/** What the model answers with: words, then tool calls or an end. */
export interface Move {
  readonly spoken: readonly Spoken[];
  readonly calls: readonly { readonly call: ToolInstruction; readonly id: string }[];
  /** Absent: the usual end. */
  readonly end?: Ending;
}

/** One answer of a chain: what is said first, and what is called at once. */
interface Step {
  readonly spoken: readonly Spoken[];
  readonly calls: readonly ToolInstruction[];
  readonly end?: Ending;
}

/** What the model does next, by the conversation alone: how far a chain is, its results tell. */
export function nextMove(prompt: LanguageModelV3Prompt): Move {
  const start = prompt.findLastIndex((message) => message.role === 'user');
  const parsed = parseInstructions(promptText(prompt, start));
  if ('unknown' in parsed) return words(explainInstructions(parsed.unknown));
  const steps = stepsOf(parsed.instructions);
  const all = steps.flatMap(({ calls }) => calls);
  const results = toolResults(prompt.slice(start + 1));
  const outcomes = all.flatMap((instruction, index): readonly Outcome[] => {
    const result = results[index]?.output;
    return result === undefined ? [] : [{ instruction, result }];
  });
  const isStopped = outcomes.some(({ result }) => failed(result));
  if (isStopped) return words(reportResults(outcomes, all.length - outcomes.length));
  return moveAfter(outcomes, steps, start);
}

function moveAfter(outcomes: readonly Outcome[], steps: readonly Step[], start: number): Move {
  let done = 0;
  for (const { spoken, calls, end } of steps) {
    const isDone = done + calls.length <= outcomes.length && calls.length > 0;
    if (isDone) {
      done += calls.length;
      continue;
    }
    if (calls.length > 0)
      return { spoken, calls: calls.map((call, index) => ({ call, id: `call-${start}-${done + index}` })) };
    const report = outcomes.length > 0 ? [{ say: reportResults(outcomes, 0) }] : [];
    return { spoken: [...spoken, ...report], calls: [], ...(end && { end }) };
  }
  return words(reportResults(outcomes, 0));
}

function words(say: string): Move {
  return { spoken: [{ say }], calls: [] };
}

/** Words go with the calls behind them; what comes behind an end never comes. */
function stepsOf(instructions: readonly Instruction[]): readonly Step[] {
  const steps: Step[] = [];
  let spoken: Spoken[] = [];
  for (const instruction of instructions) {
    if ('say' in instruction || 'think' in instruction) {
      spoken.push(instruction);
      continue;
    }
    if ('end' in instruction) return [...steps, { spoken, calls: [], end: instruction.end }];
    steps.push({ spoken, calls: 'together' in instruction ? instruction.together : [instruction] });
    spoken = [];
  }
  return spoken.length > 0 ? [...steps, { spoken, calls: [] }] : steps;
}

/** The user's words at `index`; `again` stands for the words before them. */
function promptText(prompt: LanguageModelV3Prompt, index: number): string {
  const message = prompt[index];
  if (message?.role !== 'user') return '';
  const text = message.content
    .flatMap((part) => (part.type === 'text' && !part.text.startsWith('<attachment') ? [part.text] : []))
    .join('\n');
  if (!/^\s*again[.!]?\s*$/i.test(text)) return text;
  return promptText(
    prompt,
    prompt.findLastIndex((earlier, at) => at < index && earlier.role === 'user'),
  );
}

function toolResults(messages: LanguageModelV3Prompt): readonly LanguageModelV3ToolResultPart[] {
  return messages.flatMap((message) =>
    message.role === 'tool' ? message.content.filter((part) => part.type === 'tool-result') : [],
  );
}

function failed({ type }: Outcome['result']): boolean {
  return type === 'error-text' || type === 'error-json' || type === 'execution-denied';
}
