import { expect, test } from 'vitest';
import { schemaForModel } from '../src/tools/schema-for-model.ts';
import { toolbox } from '../src/tools/toolbox.ts';

test('a schema keeps what a model needs and drops keywords without meaning for it', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'searchArguments',
    type: 'object',
    properties: {
      title: { title: 'Title', type: 'string', minLength: 1, description: 'Of the book' },
      max_pages: { title: 'Max Pages', type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      year: { title: 'Printed in', type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: 2100 },
      words: {
        anyOf: [
          { type: 'string', minLength: 1 },
          { type: 'array', items: { type: 'string', minLength: 2 } },
        ],
        default: { minLength: 1 },
      },
    },
    required: ['title'],
    additionalProperties: false,
  };

  expect(schemaForModel(schema)).toEqual({
    type: 'object',
    properties: {
      title: { type: 'string', description: 'Of the book' },
      max_pages: { type: 'integer', minimum: 0 },
      year: { title: 'Printed in', type: 'integer', maximum: 2100 },
      words: {
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string', minLength: 2 } }],
        default: { minLength: 1 },
      },
    },
    required: ['title'],
  });
});

test('the tool descriptions of a request take at most 7,000 characters', () => {
  const said = [...toolbox.values()].map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));

  expect(JSON.stringify(said).length).toBeLessThanOrEqual(7_000);
});
