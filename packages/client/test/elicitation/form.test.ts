import { checkForm, formDefaults, type FormField, formFields, parseFieldValue } from '@turnwire/client/elicitation';
import type { ElicitationPropertySchema, ElicitationSchema } from '@turnwire/protocol';
import { expect, test } from 'vitest';

const schema: ElicitationSchema = {
  title: 'About you',
  required: ['name', 'colour'],
  properties: {
    name: {
      type: 'string',
      title: 'Your name',
      description: 'As on paper',
      minLength: 2,
      maxLength: 5,
      default: 'Ada',
    },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    height: { type: 'number', default: 1.7 },
    member: { type: 'boolean', default: false },
    colour: { type: 'string', enum: ['red', 'blue'] },
    size: {
      type: 'string',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large', description: 'Very' },
      ],
      default: 'l',
    },
    days: { type: 'array', items: { type: 'string', enum: ['mon', 'tue'] }, minItems: 1, default: ['mon'] },
    rooms: { type: 'array', items: { anyOf: [{ const: 'a', title: 'Attic' }] }, maxItems: 1 },
  },
};

test('a schema is parsed into fields in its order', () => {
  expect(formFields(schema)).toEqual([
    {
      key: 'name',
      title: 'Your name',
      description: 'As on paper',
      isRequired: true,
      type: 'text',
      minLength: 2,
      maxLength: 5,
      default: 'Ada',
    },
    { key: 'age', title: 'age', isRequired: false, type: 'integer', minimum: 0, maximum: 150 },
    { key: 'height', title: 'height', isRequired: false, type: 'number', default: 1.7 },
    { key: 'member', title: 'member', isRequired: false, type: 'boolean', default: false },
    {
      key: 'colour',
      title: 'colour',
      isRequired: true,
      type: 'choice',
      choices: [
        { value: 'red', title: 'red' },
        { value: 'blue', title: 'blue' },
      ],
    },
    {
      key: 'size',
      title: 'size',
      isRequired: false,
      type: 'choice',
      choices: [
        { value: 's', title: 'Small' },
        { value: 'l', title: 'Large', description: 'Very' },
      ],
      default: 'l',
    },
    {
      key: 'days',
      title: 'days',
      isRequired: false,
      type: 'choices',
      choices: [
        { value: 'mon', title: 'mon' },
        { value: 'tue', title: 'tue' },
      ],
      minItems: 1,
      default: ['mon'],
    },
    {
      key: 'rooms',
      title: 'rooms',
      isRequired: false,
      type: 'choices',
      choices: [{ value: 'a', title: 'Attic' }],
      maxItems: 1,
    },
  ]);
});

test('a form starts with its defaults, including false', () => {
  expect(formDefaults(schema)).toEqual({ name: 'Ada', height: 1.7, member: false, size: 'l', days: ['mon'] });
});

test('a form without fields, and null for absent, are understood', () => {
  const bare = {
    properties: { a: { type: 'string', title: null, enum: null, pattern: null } },
    required: null,
  } as const;
  expect([formFields({}), formFields(bare), checkForm({}, {})]).toEqual([
    [],
    [{ key: 'a', title: 'a', isRequired: false, type: 'text' }],
    [],
  ]);
});

test('unknown kinds of fields are never drawn as known ones', () => {
  const strange = {
    required: ['colour'],
    properties: {
      colour: { type: 'color', enum: ['red'] },
      numbers: { type: 'array', items: { type: 'number', enum: [1] } },
    },
  } as unknown as ElicitationSchema;
  expect({
    fields: formFields(strange),
    empty: checkForm(strange, {}),
    filled: checkForm(strange, { colour: 'red', numbers: ['1'] }).map(({ key }) => key),
  }).toEqual({
    fields: [
      { key: 'colour', title: 'colour', isRequired: true, type: 'unknown', kind: 'color' },
      {
        key: 'numbers',
        title: 'numbers',
        isRequired: false,
        type: 'unknown',
        kind: 'a list of other values than choices',
      },
    ],
    empty: [
      {
        key: 'colour',
        message: 'colour is a field of an unknown kind (color); decline the form, or update this program',
      },
    ],
    filled: ['colour', 'numbers'],
  });
});

const good = { name: 'Ada', age: 36, height: 1.7, member: true, colour: 'red', size: 's', days: ['tue'], rooms: [] };

test('valid values have no problems, and optional values may be absent', () => {
  expect([checkForm(schema, good), checkForm(schema, { name: 'Ada', colour: 'red', age: null })]).toEqual([[], []]);
});

test('every problem is explained in words next to its field', () => {
  const messages = (values: Record<string, unknown>): readonly string[] =>
    checkForm(schema, { ...good, ...values }).map(({ message }) => message);
  expect([
    messages({ name: undefined, colour: null }),
    messages({ name: 'A', age: -1, height: 'tall', member: 'yes', colour: 'green', days: [], rooms: ['a', 'a'] }),
    messages({ name: 'Adaline', age: 1.5, days: 'mon', rooms: ['b'] }),
    messages({ name: 7, age: 200, height: Number.NaN, surplus: 1 }),
  ]).toEqual([
    ['Your name must be filled in', 'colour must be filled in'],
    [
      'Your name must have at least 2 characters',
      'age must be 0 or more',
      'height must be a number',
      'member must be yes or no',
      'colour must be one of: red, blue',
      'days needs at least 1 choice',
      'rooms takes at most 1 choice',
    ],
    [
      'Your name must have at most 5 characters',
      'age must be a whole number',
      'days must be a list of choices',
      'rooms may hold only: a',
    ],
    [
      'Your name must be a text',
      'age must be 150 or less',
      'height must be a number',
      'surplus is not a field of this form',
    ],
  ]);
});

test('lengths are counted in characters', () => {
  const property = { type: 'string', minLength: 2, maxLength: 2 } as const;
  expect(checkForm({ properties: { a: property } }, { a: '👍👍' })).toEqual([]);
});

/** Whether a text is valid for a string property. */
function fits(property: Partial<ElicitationPropertySchema> & object, text: string): boolean {
  return checkForm({ properties: { a: { type: 'string', ...property } as never } }, { a: text }).length === 0;
}

test('formats are checked, except unknown formats', () => {
  const table: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['email', ['a@b.example'], ['a', 'a@', '@b', 'a b@c', 'a@b@c']],
    ['uri', ['https://example.com/a?b', 'urn:isbn:1'], ['example.com', '/path', '']],
    ['date', ['2024-02-29'], ['2026-02-29', '2026-13-01', '26-01-01', '2026-01-01T00:00:00Z']],
    [
      'date-time',
      ['2026-05-31T14:30:00Z', '2026-05-31t14:30:00.5+02:00'],
      ['2026-05-31', '2026-02-30T00:00:00Z', '2026-05-31T25:00:00Z', '2026-05-31T14:30:00'],
    ],
    ['hostname', ['anything at all'], []],
  ];
  expect(
    table.map(([format, right, wrong]) => [
      format,
      right.map((text) => fits({ format } as never, text)),
      wrong.map((text) => fits({ format } as never, text)),
    ]),
  ).toEqual(table.map(([format, right, wrong]) => [format, right.map(() => true), wrong.map(() => false)]));
});

test('patterns match anywhere, and undecidable patterns are left to the agent', () => {
  const outcomes = [
    fits({ pattern: '^[a-z]+$' }, 'abc'),
    fits({ pattern: '^[a-z]+$' }, 'Abc'),
    fits({ pattern: 'b' }, 'abc'),
    fits({ pattern: '^\\d{3}$' }, '12'),
    fits({ pattern: '^\\u0041\\/$' }, 'A/'),
    fits({ pattern: '(' }, 'broken'),
    fits({ pattern: '^(?=x)a' }, 'needs what cannot be bounded'),
    fits({ pattern: '^(a)\\1$' }, 'so does this'),
    fits({ pattern: 'x'.repeat(2_000) }, 'too long a pattern'),
    fits({ pattern: '^b' }, 'a'.repeat(10_000)),
  ];
  expect(outcomes).toEqual([true, false, true, false, true, true, true, true, true, true]);
});

test('a pattern with exponential backtracking takes no time here', () => {
  const catastrophic = ['^(a+)+$', '^(a|a)*$', '^([a-z]+)*$', '^(a|aa)+$', '(x+x+)+y'];
  expect(catastrophic.map((pattern) => fits({ pattern }, `${'a'.repeat(1_900)}!`))).toEqual(
    catastrophic.map(() => false),
  );
});

const fieldOf = (key: string): FormField => formFields(schema).find((field) => field.key === key)!;

test('typed text is parsed according to the kind of the field', () => {
  const table: readonly (readonly [string, string, unknown])[] = [
    ['name', 'Ada', 'Ada'],
    ['age', ' 36 ', 36],
    ['height', '1.75', 1.75],
    ['height', '-2e1', -20],
    ['member', 'Yes', true],
    ['member', 'off', false],
    ['colour', 'blue', 'blue'],
    ['colour', '2', 'blue'],
    ['size', 'small', 's'],
    ['days', 'mon, 2', ['mon', 'tue']],
    ['age', '  ', undefined],
  ];
  expect(table.map(([key, text]) => parseFieldValue(fieldOf(key), text))).toEqual(
    table.map(([, , value]) => ({ ok: true, value })),
  );
});

test('typed text that does not parse is explained in words', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['name', '', 'Your name must be filled in'],
    ['age', 'ten', 'age must be a number'],
    ['age', '0x10', 'age must be a number'],
    ['age', '1.5', 'age must be a whole number'],
    ['member', 'perhaps', 'member must be yes or no'],
    ['colour', '3', 'colour must be one of: red, blue'],
    ['days', 'mon, sun', 'days may hold only: mon, tue'],
  ];
  expect(table.map(([key, text]) => parseFieldValue(fieldOf(key), text))).toEqual(
    table.map(([, , message]) => ({ ok: false, message })),
  );
});
