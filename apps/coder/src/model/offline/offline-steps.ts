import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import { explainInstructions, reportResults } from './answers.ts';
import type { Outcome } from './answers.ts';
import { parseInstructions } from './parse-instructions.ts';
import type { Ending, Instruction, ToolInstruction } from './parse-instructions.ts';

/** Text or a thought of the model. */
type Spoken = { readonly say: string } | { readonly think: string };

/** An answer of the model: texts, then tool calls or an end. */
export interface Move {
  readonly spoken: readonly Spoken[];
  readonly calls: readonly { readonly call: ToolInstruction; readonly id: string }[];
  /** Absent: the normal end. */
  readonly end?: Ending;
}

/** A call of a chain. */
interface StepCall extends ToolInstruction {
  /** It only prepares another call, and is not reported. */
  readonly isAside?: true;
}

/** One answer of a chain: texts, then calls in parallel. */
interface Step {
  readonly spoken: readonly Spoken[];
  readonly calls: readonly StepCall[];
  readonly end?: Ending;
}

/** The model's next answer, from the conversation alone: the results show how far a chain is. */
export function nextMove(prompt: LanguageModelV3Prompt): Move {
  const start = prompt.findLastIndex((message) => message.role === 'user');
  const texts = promptTexts(prompt, start);
  const whole = parseInstructions(texts.join('\n'));
  // Clients append piped input or the output of commands: then only the first text has instructions.
  const first = 'unknown' in whole ? parseInstructions(texts[0] ?? '') : whole;
  const parsed = 'unknown' in first ? whole : first;
  if ('unknown' in parsed) return answer(explainInstructions(parsed.unknown));
  const steps = stepsOf(parsed.instructions);
  const all = steps.flatMap(({ calls }) => calls);
  const results = prompt
    .slice(start + 1)
    .flatMap(({ role, content }) => (role === 'tool' ? content.filter((part) => part.type === 'tool-result') : []));
  const outcomes = all.slice(0, results.length).flatMap((instruction, index): readonly Outcome[] => {
    const result = results[index]?.output;
    return result === undefined || instruction.isAside ? [] : [{ instruction, result }];
  });
  if (outcomes.some(({ result: { type } }) => failures.has(type)))
    return answer(reportResults(outcomes, all.slice(results.length).filter(({ isAside }) => !isAside).length));
  // The first step without all its results.
  let done = 0;
  for (const { spoken, calls, end } of steps) {
    if (calls.length > 0 && done + calls.length <= results.length) {
      done += calls.length;
      continue;
    }
    if (calls.length > 0)
      return { spoken, calls: calls.map((call, index) => ({ call, id: `call-${start}-${done + index}` })) };
    const report = outcomes.length > 0 ? [{ say: reportResults(outcomes, 0) }] : [];
    return { spoken: [...spoken, ...report], calls: [], ...(end && { end }) };
  }
  return answer(reportResults(outcomes, 0));
}

function answer(say: string): Move {
  return { spoken: [{ say }], calls: [] };
}

/** Texts go with the calls after them; instructions after an end are ignored. */
function stepsOf(instructions: readonly Instruction[]): readonly Step[] {
  const steps: Step[] = [];
  const seen = new Set<unknown>();
  let spoken: Spoken[] = [];
  for (const instruction of instructions) {
    if ('say' in instruction || 'think' in instruction) {
      spoken.push(instruction);
      continue;
    }
    if ('end' in instruction) return [...steps, { spoken, calls: [], end: instruction.end }];
    const calls = 'together' in instruction ? instruction.together : [instruction];
    const reads = readsBefore(calls, seen);
    if (reads.length > 0) steps.push({ spoken, calls: reads });
    steps.push({ spoken: reads.length > 0 ? [] : spoken, calls });
    spoken = [];
  }
  return spoken.length > 0 ? [...steps, { spoken, calls: [] }] : steps;
}

/** A file is read before it is edited, as the edit tool requires. */
function readsBefore(calls: readonly ToolInstruction[], seen: Set<unknown>): readonly StepCall[] {
  const paths = calls.flatMap(({ tool, input: { path } }) => (tool === 'edit' && !seen.has(path) ? [path] : []));
  for (const { input } of calls) seen.add(input['path']);
  return [...new Set(paths)].map((path) => ({ tool: 'read', input: { path }, isAside: true }));
}

/** The texts of the user's prompt at `index`; `again` stands for the one before it. */
function promptTexts(prompt: LanguageModelV3Prompt, index: number): readonly string[] {
  const message = prompt[index];
  if (message?.role !== 'user') return [];
  const texts = message.content.flatMap((part) =>
    part.type === 'text' && !part.text.startsWith('<attachment') ? [part.text] : [],
  );
  if (!/^\s*again[.!]?\s*$/i.test(texts.join('\n'))) return texts;
  return promptTexts(
    prompt,
    prompt.findLastIndex((earlier, at) => at < index && earlier.role === 'user'),
  );
}

const failures: ReadonlySet<Outcome['result']['type']> = new Set(['error-text', 'error-json', 'execution-denied']);
