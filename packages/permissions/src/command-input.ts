import { joinedLines } from './joined-lines.ts';
import { isHarmlessVariable } from './risky-commands.ts';
import { quoted } from './shell-word.ts';

/** The fields of a tool's input, all of them unverified. */
export type InputFields = Readonly<Record<string, unknown>>;

/** The command in the input of a shell tool. */
export interface ShellInput {
  /** One text, with several commands on several lines. Absent if the input has none. */
  readonly command?: string;
  /** Why the shell may run something else, or run it differently. */
  readonly unclear?: string;
}

// All keys are compared in lower case and without `_` and `-`.
const commandKeys = keys('argv cmd command commandLine script');
/** Keys with whole command lines that run one after the other, or with parts of the one under `command`. */
const listKeys = keys('commands');
/** Keys with words that follow the program under `command`. */
const wordKeys = keys('args arguments');
const variableKeys = keys('env environment environmentVariables envVars');
/** Keys under which agents send the folder of a command. */
export const folderKeys: ReadonlySet<string> = keys('cwd directory dir_path workdir working_dir working_directory');
/** Keys of descriptions, time limits and output options, which do not change what runs. */
const harmlessKeys = keys(`
  background blocking description detach detached explanation fire_and_forget head_limit initial_wait intention
  is_background is_read_only justification max_output max_output_chars max_output_length max_output_tokens
  output_byte_limit output_limit purpose read_only reason requires_approval risk risk_level risk_level_reason
  run_in_background summary task_progress thought timeout timeout_ms timeout_sec timeout_seconds timeout_secs title
  wait wait_ms yield_time_ms`);
/** Switches that have no effect while they are off. */
const switchKeys = keys('dangerously_disable_sandbox');

/** The command in the input of a known shell tool. An unknown key may change what runs, so it makes the command unclear. */
export function shellInput(rawInput: unknown): ShellInput {
  const input = fieldsOf(rawInput);
  if (!input) {
    const { lines } = entryCommands(rawInput, 0);
    return lines.length === 0 ? {} : { command: lines.join('\n'), unclear: 'its input does not identify the command' };
  }
  const found = inputCommands(input, 0);
  return { ...(found.lines.length > 0 && { command: found.lines.join('\n') }), ...unclear(found.doubt) };
}

/** Command lines anywhere in the input of another tool. Rules that ask or deny must see them, although only the tool knows their effect. */
export function namedCommands(rawInput: unknown): readonly string[] {
  const input = fieldsOf(rawInput);
  const lines = [...new Set(input ? linesIn(input, 0) : [])];
  return lines.length > mostLines ? [lines.join('\n')] : lines;
}

/** More lines than this are parsed as one text, whose length is limited. */
const mostLines = 20;
/** The maximum depth at which nested objects are searched. */
const deepest = 6;

interface Commands {
  readonly lines: readonly string[];
  readonly doubt?: string | undefined;
}

function inputCommands(input: InputFields, depth: number): Commands {
  const entries = Object.entries(input).filter(([, value]) => !isEmpty(value));
  const under = (wanted: ReadonlySet<string>): unknown[] =>
    entries.flatMap(([key, value]) => (wanted.has(plain(key)) ? [value] : []));
  const words = under(wordKeys);
  const named = merged(under(commandKeys).map((value) => namedCommand(value, words, depth)));
  const others = merged(under(listKeys).map((value) => entryCommands(value, depth)));
  // Next to the command, these lines repeat it or its parts.
  const listed = others.lines.filter((line) => !named.lines.some((command) => command.includes(line)));
  const several = named.lines.length > 1 || (named.lines.length > 0 && listed.length > 0);
  const joined = named.lines.length === 0 ? joinedLines(listed) : undefined;
  return {
    lines: joined ? [joined.text] : [...named.lines, ...listed],
    doubt:
      (several ? 'the agent sent several commands' : undefined) ??
      named.doubt ??
      others.doubt ??
      joined?.warning ??
      entries.map(([key, value]) => keyDoubt(key, value)).find((doubt) => doubt !== undefined),
  };
}

/** The value under `command`: a text, the words of one command, or an object with its own command. */
function namedCommand(value: unknown, words: readonly unknown[], depth: number): Commands {
  if (typeof value === 'string' && words.length === 0) return { lines: [value] };
  const parts = [value, ...words].flat();
  const areTexts = parts.every((part) => typeof part === 'string');
  if (!areTexts && typeof value === 'object')
    return { lines: entryCommands([value, ...words], depth).lines, doubt: notText };
  // A text under this key may contain several words, so only rules that deny use it.
  const text = words.find((each) => typeof each === 'string');
  const line = [value, ...words.filter((each) => each !== text)].flat().map((part) => quoted(String(part)));
  const isCertain = areTexts && words.length < 2 && text === undefined;
  return {
    lines: [[...line, ...(text === undefined ? [] : [text])].join(' ')],
    doubt: isCertain ? undefined : notText,
  };
}

/** An entry of a list of commands. */
function entryCommands(value: unknown, depth: number): Commands {
  if (typeof value === 'string') return { lines: value === '' ? [] : [value] };
  if (depth > deepest) return { lines: [], doubt: notText };
  if (Array.isArray(value)) return merged(value.map((each) => entryCommands(each, depth + 1)));
  const input = fieldsOf(value);
  const found = input ? inputCommands(input, depth + 1) : { lines: [] };
  return found.lines.length === 0 ? { lines: [], doubt: notText } : found;
}

const notText = 'its command is not entirely text';

function merged(all: readonly Commands[]): Commands {
  return {
    lines: [...new Set(all.flatMap(({ lines }) => lines))],
    doubt: all.map(({ doubt }) => doubt).find((doubt) => doubt !== undefined),
  };
}

function keyDoubt(key: string, value: unknown): string | undefined {
  const name = plain(key);
  if (commandKeys.has(name) || listKeys.has(name) || wordKeys.has(name)) return undefined;
  if (harmlessKeys.has(name) && typeof value !== 'object') return undefined;
  if (folderKeys.has(name)) return typeof value === 'string' ? undefined : 'its folder is not text';
  if (variableKeys.has(name)) return variableDoubt(value);
  if (switchKeys.has(name) && value === false) return undefined;
  return `the effect of ${JSON.stringify(key)} in its input on the command is unknown`;
}

/** The doubt about variables in an input: `{NAME: value}`, `[{name, value}]` or `["NAME=value"]`. */
function variableDoubt(value: unknown): string | undefined {
  const names = Array.isArray(value)
    ? value.map((each: unknown) => (typeof each === 'string' ? each.split('=', 1)[0] : fieldsOf(each)?.['name']))
    : Object.keys(fieldsOf(value) ?? { '': value });
  const changing = names.find((name) => typeof name !== 'string' || !isHarmlessVariable(name));
  if (changing === undefined && names.length > 0) return undefined;
  return `it sets ${typeof changing === 'string' && changing !== '' ? `the variable ${changing}` : 'variables'}`;
}

function linesIn(input: InputFields, depth: number): readonly string[] {
  if (depth > deepest) return [];
  const nested = Object.values(input)
    .flat()
    .flatMap((value) => {
      const fields = fieldsOf(value);
      return fields ? linesIn(fields, depth + 1) : [];
    });
  return [...inputCommands(input, depth).lines.filter((line) => !isEditorVerb(line)), ...nested];
}

/** Whether the text is the verb of a file editor: `{"command": "str_replace", "path": …}` is not a command line. */
function isEditorVerb(line: string): boolean {
  return /^(?:view|create|str_replace|insert|undo_edit)$/.test(line);
}

/** The fields of an object; undefined for other values. */
export function fieldsOf(value: unknown): InputFields | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as InputFields) : undefined;
}

/** A key in the normalised form of {@link folderKeys} and similar sets. */
export function plain(key: string): string {
  return key.replaceAll(/[_-]/g, '').toLowerCase();
}

function keys(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/).map(plain));
}

/** Whether a value is empty. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function unclear(doubt: string | undefined): Pick<ShellInput, 'unclear'> {
  return doubt === undefined ? {} : { unclear: doubt };
}
