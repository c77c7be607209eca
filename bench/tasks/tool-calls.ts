import { dirname, join } from 'node:path';
import type { Replacement, Action } from './task.ts';

/** The parts of a JSON schema that tools use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** A tool that an agent offers. */
export interface Tool {
  readonly name: string;
  readonly schema: Schema;
}

/** A call of a tool, as a model makes it. */
export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

interface Wanted {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The names of the tools for each action, in lower case and without separators. */
const names: Readonly<Record<Action['do'], RegExp>> = {
  read: /^(read|readfile|view)$/,
  search: /^(search|grep)$/,
  list: /^(list|glob|find)$/,
  edit: /^(edit|editfile)$/,
  write: /^(write|writefile)$/,
  move: /^move$/,
  delete: /^delete$/,
  run: /^(execute|bash|shell)$/,
};

/** The calls for an action with the tools of an agent: several if a tool makes one replacement at a time. */
export function callsFor(action: Action, tools: readonly Tool[], folder: string): readonly Wanted[] {
  const tool = tools.find(({ name }) => names[action.do].test(plain(name)));
  const instead = withShell(action);
  if (!tool) return instead === action ? [] : callsFor(instead, tools, folder);
  if (action.do !== 'edit') return [call(tool, valuesOf(action, folder))];
  const path = join(folder, action.path);
  if (tool.schema.properties?.['edits']) return [call(tool, { path, edits: action.edits.map(editOf) })];
  return action.edits.map((edit) => call(tool, { path, old: edit.old, new: edit.new }));
}

/** Values for properties, by purpose. */
type Values = Readonly<Record<string, unknown>>;

function valuesOf(action: Exclude<Action, { do: 'edit' }>, folder: string): Values {
  switch (action.do) {
    case 'read':
    case 'delete':
      return { path: join(folder, action.path) };
    case 'search':
      return { literal: action.text, pattern: action.text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`) };
    case 'list':
      return { pattern: action.glob };
    case 'write':
      return { path: join(folder, action.path), text: action.text };
    case 'move':
      return { from: join(folder, action.path), to: join(folder, action.to) };
    case 'run':
      return { command: action.command };
  }
}

/** Whether the tool accepts lists of replacements, in the format of the two agents with such a tool. */
function editOf({ old, new: text }: Replacement): object {
  return { oldText: old, newText: text };
}

/** The purpose of a property, by its name. */
const roles: readonly (readonly [RegExp, string])[] = [
  [/^(path|filepath|file)$/, 'path'],
  [/^(oldtext|oldstring)$/, 'old'],
  [/^(newtext|newstring)$/, 'new'],
  [/^(content|text)$/, 'text'],
  [/^(text|query)$/, 'literal'],
  [/^pattern$/, 'pattern'],
  [/^command$/, 'command'],
  [/^edits$/, 'edits'],
  [/^from$/, 'from'],
  [/^to$/, 'to'],
];

function call({ name, schema: { properties = {}, required = [] } }: Tool, values: Values): Wanted {
  const input: Record<string, unknown> = {};
  for (const [property, schema] of Object.entries(properties)) {
    const role = roles.find(([pattern, each]) => pattern.test(plain(property)) && each in values)?.[1];
    if (role !== undefined) input[property] = values[role];
    else if (required.includes(property)) input[property] = anyOf(schema);
  }
  return { name, input };
}

function anyOf({ type }: Schema): unknown {
  if (type === 'boolean') return false;
  return type === 'number' || type === 'integer' ? 1 : 'a small task';
}

/** The same action as a shell command. */
export function withShell(action: Action): Action {
  switch (action.do) {
    case 'search':
      return { do: 'run', command: `grep -rnF -- '${action.text}' .` };
    case 'list':
      return { do: 'run', command: `find . -path './${action.glob.replace('**/', '*')}'` };
    case 'move':
      return { do: 'run', command: `mkdir -p '${dirname(action.to)}' && mv '${action.path}' '${action.to}'` };
    case 'delete':
      return { do: 'run', command: `rm '${action.path}'` };
    case 'read':
      return { do: 'run', command: `cat '${action.path}'` };
    default:
      return action;
  }
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
