/** One thing the offline model was told to do: the tool it takes and that tool's input. */
export interface Instruction {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a prompt came to: instructions in order, or the first part that is not one. */
export type ParsedPrompt = { readonly instructions: readonly Instruction[] } | { readonly unknown: string };

interface Form {
  readonly pattern: RegExp;
  /** Builds the instruction from the pattern's groups; undefined when the words do not add up to one after all. */
  readonly instruction: (groups: Groups) => Instruction | undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

const quoted = String.raw`"[^"]*"|“[^”]*”|‘[^’]*’|'[^']*'|\x60[^\x60]*\x60`;
const phrase = String.raw`(?:${quoted}|.+?)`;

// A quotation counts as one only between word boundaries, so that the apostrophe of `don't` opens nothing.
const pieces = new RegExp(String.raw`(?<!\w)(?:${quoted})(?!\w)|(?<break>(?<!\S)then(?=[\s,:]|$)|\n)|[^]`, 'giu');

// Instructions are short; what is longer is a text meant for another model, and not worth looking through.
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
];

/**
 * Reads plain instructions, joined by `then` or one a line. Quotation marks keep a part verbatim.
 * A prompt with one part that is no instruction is none at all: half a chain is worse than a question.
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
  for (const piece of prompt.matchAll(pieces)) {
    if (piece.groups?.['break'] === undefined) clauses[clauses.length - 1] += piece[0];
    else clauses.push('');
  }
  return clauses.map(withoutJoints).filter((clause) => clause !== '');
}

/** Takes off what joins a clause to its neighbours: `, and` before a `then`, a colon or comma after it. */
function withoutJoints(clause: string): string {
  return clause
    .replace(/^[\s,:]+/, '')
    .trimEnd()
    .replace(/\sand$/i, '')
    .replace(/[\s,;]+$/, '');
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
  const entries = steps
    .split(/[;\n]/)
    .map((step) => step.trim())
    .filter((step) => step !== '');
  return entries.length === 0
    ? undefined
    : { tool: 'plan', input: { entries: entries.map((content) => ({ content: unquote(content) })) } };
}

/** Takes the outer quotation marks off; what is between them is verbatim, inner marks included. */
function unquote(text = ''): string {
  const bare = text.trim();
  return /^(?:"[^]*"|'[^]*'|“[^]*”|‘[^]*’|`[^]*`)$/.test(bare) && bare.length > 1 ? bare.slice(1, -1) : bare;
}

/** The path that words name, as in `@notes.txt` or `@"my notes.txt"`: the mark says that a file is meant. In quotation marks it is part of the name. */
function pathIn(text = ''): string {
  return unquote(text.trim().replace(/^@(?=.)/, ''));
}

/** Takes quotation marks off only when they enclose the whole: `"a b" "c"` keeps its own, which belong to the shell. */
function unquoteWhole(text = ''): string {
  const bare = text.trim();
  return new RegExp(`^(?:${quoted})$`).test(bare) ? bare.slice(1, -1) : bare;
}

function form(source: string, instruction: Form['instruction']): Form {
  return { pattern: new RegExp(`^${source.replaceAll(' ', String.raw`\s+`)}$`, 'iu'), instruction };
}
