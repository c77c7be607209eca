/** A tool to call, and its input. */
export interface ToolInstruction {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One instruction to the offline model. */
export type Instruction =
  | ToolInstruction
  /** Tools to call in one answer. */
  | { readonly together: readonly ToolInstruction[] }
  /** A text or a thought before the next calls. */
  | { readonly say: string }
  | { readonly think: string }
  /** How the answer ends, to test clients. */
  | { readonly end: Ending };

/** The unusual ways for a model to end. */
export type Ending = 'refusal' | 'max tokens' | 'error';

/** A parsed prompt: instructions in order, or the first part that is not one. */
export type ParsedPrompt = { readonly instructions: readonly Instruction[] } | { readonly unknown: string };

interface Form {
  readonly pattern: RegExp;
  /** Builds the instruction from the pattern's groups; undefined if the words are not an instruction after all. */
  readonly instruction: (groups: Groups) => Instruction | undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** A quotation with any kind of quotation marks, as part of a regular expression. */
const quoted: string = String.raw`"[^"]*"|“[^”]*”|‘[^’]*’|'[^']*'|\x60[^\x60]*\x60`;

const phrase = String.raw`(?:${quoted}|.+?)`;

// A quotation only counts between word boundaries, so that the apostrophe of `don't` opens none.
const tokens = new RegExp(String.raw`(?<!\w)(?:${quoted})(?!\w)|(?<break>(?<!\S)then(?=[\s,:]|$)|\n)|[^]`, 'giu');

// Instructions are short; a longer text was meant for another model, and is not searched.
const longestPrompt = 20_000;

const forms: readonly Form[] = [
  form(
    String.raw`(?:list|ls)(?: all)?(?: the)?(?: files| folder| directory)?(?: (?:in|of|under) (?<path>.+))?`,
    ({ path }) => ({
      tool: 'list',
      input: path === undefined ? {} : { path: pathIn(path) },
    }),
  ),
  form(String.raw`(?:read|show|open|cat)(?: the)?(?: file)? (?<path>.+)`, ({ path }) => ({
    tool: 'read',
    input: { path: pathIn(path) },
  })),
  form(
    String.raw`(?:search|find|grep)(?! for$)(?: for)? (?<text>${phrase})(?: in (?<path>@?(?:${quoted})|\S+))?`,
    ({ text, path }) => ({
      tool: 'search',
      input: { text: unquote(text), ...(path !== undefined && { path: pathIn(path) }) },
    }),
  ),
  form(
    String.raw`replace (?<all>all )?(?<old>${phrase}) (?:with|by) (?<new>${quoted}|.+) in (?<path>@?(?:${quoted})|.+?)`,
    (groups) => ({
      tool: 'edit',
      input: {
        path: pathIn(groups['path']),
        oldText: unquote(groups['old']),
        newText: unquote(groups['new']),
        ...(groups['all'] && { replaceAll: true }),
      },
    }),
  ),
  form(
    String.raw`(?:create|write)(?: an?| the)?(?: new)?(?: file)? (?<path>@?${phrase})(?: with| containing):? (?<content>[^]+)`,
    ({ path, content }) => ({
      tool: 'write',
      input: { path: pathIn(path), content: unquote(content) },
    }),
  ),
  form(String.raw`(?:move|rename)(?: the)?(?: file)? (?<from>@?${phrase}) to (?<to>.+)`, ({ from, to }) => ({
    tool: 'move',
    input: { from: pathIn(from), to: pathIn(to) },
  })),
  form(String.raw`(?:delete|remove)(?: the)?(?: file)? (?<path>.+)`, ({ path }) => ({
    tool: 'delete',
    input: { path: pathIn(path) },
  })),
  form(String.raw`(?:run|execute) (?<command>[^]+)`, ({ command }) => ({
    tool: 'execute',
    input: { command: unquoteWhole(command) },
  })),
  form(String.raw`plan:? (?<steps>[^]+)`, ({ steps }) => plan(steps ?? '')),
  form(String.raw`(?:fetch|get|visit) (?<url>https?://\S+|${quoted})`, ({ url }) => ({
    tool: 'fetch',
    input: { url: unquote(url) },
  })),
  form(
    String.raw`ask(?<yes> yes or no)?:? (?<question>${quoted})(?:,? (?<several>several of|choices|one of):? (?<choices>[^]+))?`,
    question,
  ),
  form(
    String.raw`(?:switch|go|change) to (?:mode )?(?<mode>architect|ask|code)(?: mode)?(?: with(?: plan)?:? (?<plan>[^]+))?`,
    ({ mode = '', plan: text }) => ({
      tool: 'switch-mode',
      input: { mode: mode.toLowerCase(), ...(text !== undefined && { plan: unquote(text) }) },
    }),
  ),
  form(String.raw`at once:? (?<parts>[^]+)`, ({ parts }) => together(parts ?? '')),
  form(String.raw`say (?<text>[^]+)`, ({ text }) => ({ say: unquote(text) })),
  form(String.raw`think (?<text>[^]+)`, ({ text }) => ({ think: unquote(text) })),
  form(String.raw`end with (?:an? )?(?<end>refusal|max tokens|error)`, ({ end = '' }) => ({
    end: end.toLowerCase().replaceAll(/\s+/g, ' ') as Ending,
  })),
];

/**
 * Parses plain instructions, joined by `then` or one per line. Quotation marks keep a part verbatim.
 * A prompt with one part that is not an instruction is refused as a whole: half a chain is worse than a question.
 */
export function parseInstructions(prompt: string): ParsedPrompt {
  if (prompt.length > longestPrompt) return { unknown: prompt.trim() };
  const instructions: Instruction[] = [];
  const clauses = splitClauses(prompt);
  for (const clause of clauses) {
    const instruction = parseClause(clause);
    if (instruction === undefined) return { unknown: clause };
    instructions.push(instruction);
  }
  return instructions.length === 0 ? { unknown: prompt.trim() } : { instructions };
}

function splitClauses(prompt: string): readonly string[] {
  const clauses = [''];
  for (const token of prompt.matchAll(tokens)) {
    if (token.groups?.['break'] === undefined) clauses[clauses.length - 1] += token[0];
    else clauses.push('');
  }
  // Without what joins a clause to its neighbours: `, and` before a `then`, a colon or comma after it.
  const bare = clauses.map((clause) =>
    clause
      .replace(/^[\s,:]+/, '')
      .trimEnd()
      .replace(/\sand$/i, '')
      .replace(/[\s,;]+$/, ''),
  );
  return bare.filter((clause) => clause !== '');
}

function parseClause(clause: string): Instruction | undefined {
  const plain = clause.replace(/^please\s+/i, '').replace(/(?<=[\p{L}\p{N}_"'”’`)])[.!?,;]+$/u, '');
  for (const { pattern, instruction } of forms) {
    const match = pattern.exec(plain);
    if (match) return instruction(match.groups ?? {});
  }
  return undefined;
}

function plan(steps: string): Instruction | undefined {
  const entries = planEntries(steps);
  return entries.length === 0 ? undefined : { tool: 'plan', input: { entries } };
}

function question({ question: text, yes, several, choices }: Groups): Instruction | undefined {
  const offered = choices === undefined ? undefined : offeredChoices(choices);
  if (yes !== undefined && offered) return undefined;
  const isSeveral = several?.toLowerCase() === 'several of';
  return {
    tool: 'ask',
    input: {
      question: unquote(text),
      ...(offered && { choices: offered }),
      ...(isSeveral && { answer: 'several' }),
      ...(yes !== undefined && { answer: 'yes-or-no' }),
    },
  };
}

/** Calls in one answer, separated by semicolons. */
function together(parts: string): Instruction | undefined {
  const calls = parts
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => parseClause(part.trim()));
  const isAll = (each: readonly (Instruction | undefined)[]): each is readonly ToolInstruction[] =>
    each.every((call) => call !== undefined && 'tool' in call);
  return isAll(calls) && calls.length > 0 ? { together: calls } : undefined;
}

/** Removes the outer quotation marks; the text between them is verbatim, inner marks included. */
function unquote(text = ''): string {
  const bare = text.trim();
  return /^(?:"[^]*"|'[^]*'|“[^]*”|‘[^]*’|`[^]*`)$/.test(bare) && bare.length > 1 ? bare.slice(1, -1) : bare;
}

function pathIn(text = ''): string {
  return unquote(text.trim().replace(/^@(?=.)/, ''));
}

/** Removes quotation marks only if they enclose the whole: those of `"a b" "c"` belong to the shell. */
function unquoteWhole(text = ''): string {
  const bare = text.trim();
  return new RegExp(`^(?:${quoted})$`).test(bare) ? bare.slice(1, -1) : bare;
}

function form(source: string, instruction: Form['instruction']): Form {
  return { pattern: new RegExp(`^${source.replaceAll(' ', String.raw`\s+`)}$`, 'iu'), instruction };
}

/** A step of a plan as the tool takes it. */
interface PlanEntry {
  readonly content: string;
  readonly status?: 'in_progress' | 'completed';
}

/** The steps of a plan, separated by semicolons or one per line; `[x]` marks a completed one, `[~]` one in progress. */
function planEntries(steps: string): readonly PlanEntry[] {
  return steps
    .split(/[;\n]/)
    .map((step) => step.trim())
    .filter((step) => step !== '')
    .map((step) => {
      const [, mark = ' ', content = step] = /^\[([x~ ])\]\s*(.+)$/i.exec(step) ?? [];
      const status = { x: 'completed' as const, '~': 'in_progress' as const }[mark.toLowerCase()];
      return { content: unquote(content), ...(status && { status }) };
    });
}

/** Choices, separated by commas, the last optionally by `or`. */
function offeredChoices(text: string): readonly string[] {
  return text
    .split(/,\s*or\s+|,|\sor\s/i)
    .map((choice) => unquote(choice))
    .filter((choice) => choice !== '');
}
