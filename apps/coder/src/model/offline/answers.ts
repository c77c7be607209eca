import type { LanguageModelV3ToolResultOutput } from '@ai-sdk/provider';
import type { ToolInstruction } from './parse-instructions.ts';

/** An instruction and its tool's result. */
export interface Outcome {
  readonly instruction: ToolInstruction;
  readonly result: LanguageModelV3ToolResultOutput;
}

/** The report on a chain in Markdown: each result in order, and the number of remaining instructions. */
export function reportResults(outcomes: readonly Outcome[], left: number): string {
  const parts = outcomes.map(reportOutcome);
  if (left > 0)
    parts.push(`I stopped there: ${left === 1 ? 'one instruction was' : `${left} instructions were`} not carried out.`);
  return parts.join('\n\n');
}

/** Marks answers to prompts that are not instructions; no other answer contains it. */
export const offlineIntroduction = 'This is the offline model: no language model is behind it';

/** The answer to a prompt that is not an instruction: examples, and how to get a language model. */
export function explainInstructions(unknown: string): string {
  const lead =
    unknown === ''
      ? 'There was nothing to do.'
      : `I did not understand ${inline(shorten(unknown))}, so nothing was done.`;
  return `${lead} ${offlineIntroduction}, it follows plain instructions:

- ${instructionExamples.map((example) => inline(example)).join('\n- ')}

Join several with \`then\`, or write one per line; \`again\` repeats the last prompt. Quotation marks keep a part verbatim.

To get a language model, run \`turnwire coder login\`, set \`ANTHROPIC_API_KEY\`, \`OPENAI_API_KEY\`, \`GOOGLE_GENERATIVE_AI_API_KEY\` or \`OPENROUTER_API_KEY\`, or start Ollama; then choose it with the option \`model\`.`;
}

const instructionExamples = [
  'list files in src',
  'read notes.txt',
  'search for TODO in src',
  'replace "alpha" with "beta" in notes.txt',
  'create notes.md with "some text"',
  'move a.txt to b.txt',
  'delete a.txt',
  'run npm test',
  'plan: [x] first; [~] second; third',
  'fetch https://example.com',
  'ask "Which one?" choices: red, green, blue',
  'switch to architect',
  'at once: read a.txt; read b.txt',
  'think "what next?" then say "done"',
  'end with refusal',
] as const;

function reportOutcome({ instruction, result }: Outcome): string {
  const { tool, input } = instruction;
  if (result.type === 'execution-denied')
    return `**Refused:** ${describe(tool, input)}. ${whyRefused(result.reason)}`.trim();
  const text = typeof result.value === 'string' ? result.value : JSON.stringify(result.value, undefined, 2);
  if (result.type === 'error-text' || result.type === 'error-json')
    return `**Failed:** ${describe(tool, input)}. ${blockOrLine(text)}`;
  if (/^No (?:files|matches)\b.*\.$/.test(text)) return text;
  return reporters[tool]?.(input, text) ?? blockOrLine(text);
}

/** The reason without its first word, which the report already contains: `in mode architect …`. */
function whyRefused(reason = ''): string {
  const rest = reason.replace(/^Refused: /, '');
  return `${rest.slice(0, 1).toUpperCase()}${rest.slice(1)}`;
}

const reporters: Readonly<Record<string, (input: ToolInstruction['input'], text: string) => string>> = {
  list: (input, text) => `Files${input['path'] === undefined ? '' : ` in ${name(input['path'])}`}:\n\n${fence(text)}`,
  read: (input, text) => `${name(input['path'])}:\n\n${fence(text)}`,
  search: (input, text) => `Search for ${name(input['text'])}:\n\n${fence(text)}`,
  edit: (input) => `Edited ${name(input['path'])}.`,
  write: (input) => `Wrote ${name(input['path'])}.`,
  move: (input) => `Moved ${name(input['from'])} to ${name(input['to'])}.`,
  delete: (input) => `Deleted ${name(input['path'])}.`,
  plan: (_, text) => `The plan:\n\n${text}`,
  fetch: (_, text) => fence(text),
  ask: (input, text) => `${name(input['question'])}: ${blockOrLine(text)}`,
  'switch-mode': (_, text) => text,
  execute: (input, text) => `Ran ${name(input['command'])}:\n\n${fence(text)}`,
};

function describe(tool: string, input: ToolInstruction['input']): string {
  const object =
    input['path'] ??
    input['command'] ??
    input['from'] ??
    input['text'] ??
    input['url'] ??
    input['mode'] ??
    input['question'];
  return object === undefined ? tool : `${tool} ${name(object)}`;
}

function blockOrLine(text: string): string {
  return text.includes('\n') ? `\n\n${fence(text)}` : text;
}

/** A code block whose fence is longer than any run of backticks within. */
function fence(text: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}\n${text}${text.endsWith('\n') ? '' : '\n'}${marks}`;
}

function name(value: unknown): string {
  return inline(shorten(String(value)));
}

function inline(text: string): string {
  const marks = '`'.repeat(longestRun(text) + 1);
  return text.includes('`') ? `${marks} ${text} ${marks}` : `\`${text}\``;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
