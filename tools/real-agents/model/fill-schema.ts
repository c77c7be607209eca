import type { Schema } from './conversation.ts';

/** Values for parameters. */
export interface Facts {
  readonly file: string;
  readonly text: string;
  readonly command: string;
  /** Preferred values for enumerations. */
  readonly choices: readonly string[];
}

/** Creates a value that a schema accepts from the facts, chosen by property names. */
export function fillSchema(schema: Schema, facts: Facts, name = ''): unknown {
  const variant = (schema.anyOf ?? schema.oneOf)?.find((each) => typeOf(each) !== 'null');
  if (variant) return fillSchema(variant, facts, name);
  if (schema.enum) return facts.choices.find((choice) => schema.enum?.includes(choice)) ?? schema.enum[0];
  const fill = fillers[typeOf(schema)] ?? textFor;
  return fill(schema, facts, name);
}

type Filler = (schema: Schema, facts: Facts, name: string) => unknown;

const fillers: Readonly<Record<string, Filler>> = {
  object: fillObject,
  array: fillArray,
  number: fillNumber,
  integer: fillNumber,
  boolean: () => false,
};

function fillObject({ properties = {}, required = [] }: Schema, facts: Facts): unknown {
  const wanted = Object.entries(properties).filter(([name]) => required.includes(name) || isSubject(name));
  return Object.fromEntries(wanted.map(([name, schema]) => [name, fillSchema(schema, facts, name)]));
}

/** Whether to fill an optional property: some are optional only because a tool has several uses, or a sandbox. */
function isSubject(name: string): boolean {
  return /^(path|file_?path|file_?text|content|new_text|command|cmd|commands|sandbox_permissions|justification)$/i.test(
    name,
  );
}

function fillArray({ items = {} }: Schema, facts: Facts, name: string): unknown {
  // `command: string[]` has the arguments of one command, `commands: string[]` has several commands.
  if (/^(command|cmd)$/i.test(name)) return ['bash', '-lc', facts.command];
  return [fillSchema(items, facts, name)];
}

function fillNumber({ minimum = 1 }: Schema): number {
  return Math.max(minimum, 1);
}

function textFor(_schema: Schema, { file, text, command }: Facts, name: string): string {
  if (/(content|text|body|input|patch)$/i.test(name)) return text;
  if (/(path|file)s?$/i.test(name)) return file;
  if (/(command|cmd)s?$/i.test(name)) return command;
  return 'scripted';
}

function typeOf({ type, properties, items }: Schema): string {
  const named = typeof type === 'string' ? type : type?.find((each) => each.toLowerCase() !== 'null');
  if (named !== undefined) return named.toLowerCase();
  if (properties) return 'object';
  return items ? 'array' : 'string';
}
