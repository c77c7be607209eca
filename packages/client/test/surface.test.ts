import * as client from '@turnwire/client';
import * as elicitation from '@turnwire/client/elicitation';
import * as retry from '@turnwire/client/retry';
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
      'lossText',
      'optionOfKind',
      'selectValues',
      'terminalLoginCommand',
      'withoutProjectPackages',
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
