import { nameOf } from '../../schema/edition.ts';
import type { Field, IntegerSchema, ObjectSchema, Schema, StringSchema, TaggedSchema } from '../../schema/language.ts';
import { fieldFact, type Outline } from './outline.ts';

/** The facts of a schema of ours. */
export function ownOutline(definitions: { readonly [name: string]: Schema }): Outline {
  return new Map(Object.entries(definitions).flatMap(([name, schema]) => facts(name, schema)));
}

type Facts = readonly (readonly [at: string, fact: string])[];

function facts(name: string, schema: Schema): Facts {
  switch (schema.kind) {
    case 'object':
      return [
        [name, schema.also ? `object, ${rest(schema.also)}` : 'object'],
        ...fields(name, schema),
        ...(schema.also ? alsoFacts(name, schema.also) : []),
      ];
    case 'tagged':
      return [[name, rest(schema)], ...variants(name, schema)];
    case 'choice':
      return [
        [name, `choice of ${schema.of}`],
        ...schema.values.map(([value]) => [`${name}=${value}`, 'known'] as const),
        ...(schema.open ? [[`${name}=*`, schema.of] as const] : []),
      ];
    default:
      return [[name, written(schema)]];
  }
}

function rest(schema: Schema): string {
  return schema.kind === 'tagged' ? `tagged by ${schema.tag}` : 'and more';
}

function alsoFacts(name: string, also: Schema): Facts {
  return also.kind === 'tagged' ? variants(name, also) : [[`${name}&`, mentioned(also)]];
}

function fields(name: string, schema: ObjectSchema): Facts {
  return Object.entries(schema.fields).map(([key, field]) => [`${name}.${key}`, fact(field)] as const);
}

function fact({ schema, rules }: Field): string {
  const letters = [rules.onError && 'E', rules.badItems && 'S', rules.onNull && 'N'].filter(Boolean).join('');
  return fieldFact(mentioned(schema), { required: rules.required, rules: letters, absentMeans: rules.absentMeans });
}

function variants(name: string, { variants: known, untagged, other }: TaggedSchema): Facts {
  const without = typeof untagged === 'string' ? known[untagged]!.schema : untagged;
  return [
    ...Object.entries(known).map(([tag, { schema }]) => [`${name}=${tag}`, mentioned(schema)] as const),
    ...(without ? [[`${name}=(none)`, mentioned(without)] as const] : []),
    ...(other ? [[`${name}=*`, mentioned(other)] as const] : []),
  ];
}

function mentioned(schema: Schema): string {
  return nameOf(schema) ?? written(schema);
}

function written(schema: Schema): string {
  switch (schema.kind) {
    case 'any':
      return 'anything';
    case 'null':
    case 'boolean':
    case 'double':
      return schema.kind;
    case 'string':
      return text(schema);
    case 'integer':
      return integer(schema);
    case 'choice':
      return schema.values.map(([value]) => JSON.stringify(value)).join(' | ');
    case 'nullable':
      return `${mentioned(schema.schema)} or null`;
    case 'list':
    case 'map':
      return `${schema.kind} of ${mentioned(schema.items)}`;
    case 'anyOf':
      return schema.members.map(mentioned).join(' | ');
    case 'object':
      return `{${Object.entries(schema.fields)
        .map(([name, field]) => `${name}: ${fact(field)}`)
        .join('; ')}}`;
    case 'tagged':
      return rest(schema);
  }
}

function text({ format, notEmpty }: StringSchema): string {
  return [notEmpty && 'non-empty', format, 'string'].filter(Boolean).join(' ');
}

function integer({ format, minimum, maximum }: IntegerSchema): string {
  return [format, minimum !== undefined && `from ${minimum}`, maximum !== undefined && `to ${maximum}`]
    .filter(Boolean)
    .join(' ');
}
