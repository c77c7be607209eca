import * as client from '@agentwire/client';
import * as elicitation from '@agentwire/client/elicitation';
import * as retry from '@agentwire/client/retry';
import { expect, test } from 'vitest';

test('the public names are these', () => {
  expect([client, elicitation, retry].map((entry) => Object.keys(entry).toSorted())).toEqual([
    [
      'approveAll',
      'attachAgent',
      'commandWords',
      'denyAll',
      'errorText',
      'inheritedVariables',
      'launchAgent',
      'optionOfKind',
      'selectValues',
      'terminalLoginCommand',
    ],
    [
      'checkField',
      'checkForm',
      'formDefaults',
      'formFields',
      'parseFieldValue',
      'readScriptedAnswers',
      'scriptedElicitation',
      'urlConsent',
    ],
    ['conditionOf', 'isRepeatable', 'withRetry'],
  ]);
});
