import type {
  ElicitationContentValue,
  ElicitationPropertySchema,
  ElicitationSchema,
  EnumOption,
  MultiSelectItems,
} from '@turnwire/protocol';
import type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  FormChoice,
  FormField,
  NumberField,
  TextField,
  UnknownField,
} from './form-field.ts';

type Property<Type extends string> = ElicitationPropertySchema & { readonly type: Type };
type Kind = TextField | NumberField | BooleanField | ChoiceField | ChoicesField | UnknownField;

/** The fields of a form in the agent's order, ready to be drawn (protocol: Elicitation, form mode). */
export function formFields(schema: ElicitationSchema): readonly FormField[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([key, property]) => formField(key, property, required.has(key)));
}

/** The initial values of a form: the default of every field that has one. */
export function formDefaults(schema: ElicitationSchema): Readonly<Record<string, ElicitationContentValue>> {
  const values = formFields(schema).flatMap((field): [string, ElicitationContentValue][] =>
    'default' in field && field.default !== undefined ? [[field.key, field.default]] : [],
  );
  return Object.fromEntries(values);
}

function formField(key: string, property: ElicitationPropertySchema, isRequired: boolean): FormField {
  const { title, description } = property as { readonly title?: unknown; readonly description?: unknown };
  return {
    key,
    title: typeof title === 'string' && title !== '' ? title : key,
    ...(typeof description === 'string' && { description }),
    isRequired,
    ...kindOf(property),
  };
}

function kindOf(property: ElicitationPropertySchema): Kind {
  switch (property.type) {
    case 'string':
      return textOrChoice(property);
    case 'number':
    case 'integer':
      return { type: property.type, ...present(property, ['default', 'minimum', 'maximum']) };
    case 'boolean':
      return { type: 'boolean', ...present(property, ['default']) };
    case 'array':
      return severalChoices(property);
    default:
      return unknown(property.type);
  }
}

function textOrChoice(property: Property<'string'>): Kind {
  const choices = property.oneOf?.map(titled) ?? property.enum?.map(plain);
  if (choices) return { type: 'choice', choices, ...present(property, ['default']) };
  const constraints = present(property, ['default', 'minLength', 'maxLength', 'pattern', 'format']);
  return { type: 'text', ...constraints };
}

function severalChoices(property: Property<'array'>): Kind {
  const choices = itemChoices(property.items);
  if (!choices) return unknown('a list of other values than choices');
  return { type: 'choices', choices, ...present(property, ['default', 'minItems', 'maxItems']) };
}

function itemChoices(items: MultiSelectItems): readonly FormChoice[] | undefined {
  const { type, enum: values, anyOf } = items as { type?: unknown; enum?: unknown; anyOf?: unknown };
  if (Array.isArray(anyOf)) return (anyOf as EnumOption[]).map(titled);
  return type === 'string' && Array.isArray(values) ? (values as string[]).map(plain) : undefined;
}

function titled({ const: value, title, description }: EnumOption): FormChoice {
  return { value, title, ...(typeof description === 'string' && { description }) };
}

function plain(value: string): FormChoice {
  return { value, title: value };
}

function unknown(kind: string): UnknownField {
  return { type: 'unknown', kind };
}

/** The keys with a value; `null` counts as absent. */
function present(property: object, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(property).filter(([key, value]) => keys.includes(key) && value !== null && value !== undefined),
  );
}
