import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../src/tools/tool.ts';

test('the schema of a tool is built once, when it is first sent to a model', () => {
  let made = 0;
  const tool = defineTool({
    name: 'look',
    kind: 'read',
    description: '',
    effect: 'looks',
    input: () => {
      made++;
      return z.strictObject({ path: z.string() });
    },
    prepare: () => Promise.reject(new Error('it is not called')),
  });
  const before = made;
  const described = [tool.inputSchema, tool.inputSchema].map((schema) => schema['properties']);
  expect({ before, described, after: made }).toEqual({
    before: 0,
    described: [{ path: { type: 'string' } }, { path: { type: 'string' } }],
    after: 1,
  });
});
