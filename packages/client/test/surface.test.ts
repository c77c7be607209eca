import * as client from '@turnwire/client';
import * as elicitation from '@turnwire/client/elicitation';
import * as node from '@turnwire/client/node';
import * as retry from '@turnwire/client/retry';
import * as protocol from '@turnwire/protocol';
import { expect, test } from 'vitest';

test('the public names are these', () => {
  expect([client, node, elicitation, retry].map((entry) => Object.keys(entry).toSorted())).toEqual([
    [
      'ProtocolError',
      'TurnwireError',
      'approveAll',
      'attachAgent',
      'denyAll',
      'errorCodes',
      'lossText',
      'optionOfKind',
      'selectValues',
    ],
    [
      'McpConfigError',
      'agentEnvironment',
      'commandWords',
      'examineAgent',
      'examineRemoteAgent',
      'examinedLayers',
      'fileContent',
      'inheritedVariables',
      'insideRoots',
      'launchAgent',
      'localFiles',
      'localTerminals',
      'mcpServersFor',
      'mentions',
      'programPath',
      'promptContent',
      'readMcpConfig',
      'terminalLoginCommand',
      'textContent',
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

test('the errors to catch are those that are thrown', () => {
  const { ProtocolError, TurnwireError, errorCodes } = protocol;
  expect({ ...client }).toMatchObject({ ProtocolError, TurnwireError, errorCodes });
});
