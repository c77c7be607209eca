import * as client from '@agentwire/client';
import { expect, test } from 'vitest';

test('the public names are these', () => {
  expect(Object.keys(client).toSorted()).toEqual([
    'approveAll',
    'attachAgent',
    'commandWords',
    'denyAll',
    'inheritedVariables',
    'launchAgent',
    'optionOfKind',
  ]);
});
