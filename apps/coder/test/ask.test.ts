import type { CreateElicitationRequest, CreateElicitationResponse } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import type { ToolResult } from '../src/tools/tool.ts';
import { calls, finishes, ScriptedModel, scriptedSession } from './scripted-model.ts';
import { ToolFixture } from './tool-fixture.ts';

interface Asked {
  readonly result: ToolResult;
  readonly question: CreateElicitationRequest | undefined;
}

/** Asks a user who gives this answer. */
async function ask(input: object, answer: CreateElicitationResponse): Promise<Asked> {
  let question: CreateElicitationRequest | undefined;
  await using fixture = await ToolFixture.open({
    capabilities: { elicitation: { form: {} } },
    handlers: {
      'elicitation/create': (request) => {
        question = request;
        return answer;
      },
    },
  });
  return { result: await fixture.use('ask', input), question };
}

const accept = (content: Record<string, string | boolean | string[]>): CreateElicitationResponse => ({
  action: 'accept',
  content,
});

test('a question is a form, tied to its call', async () => {
  const { question, result } = await ask({ question: 'What is it called?' }, accept({ answer: 'Wire' }));
  expect(question).toMatchObject({
    mode: 'form',
    message: 'What is it called?',
    toolCallId: expect.any(String),
    requestedSchema: {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Answer', minLength: 1, maxLength: 10_000 } },
      required: ['answer'],
    },
  });
  expect(result).toEqual({ text: 'Wire' });
});

test.each([
  [{ choices: ['red', 'green'] }, { answer: 'green' }, 'green'],
  [{ choices: ['red', 'green'] }, { words: 'blue, please' }, 'blue, please'],
  [{ choices: ['red', 'green'] }, { answer: 'red', words: 'a dark one' }, 'red\na dark one'],
  [{ choices: ['red', 'green'] }, {}, 'The user sent the form without an answer.'],
  [{ choices: ['a', 'b', 'c'], answer: 'several' }, { answer: ['a', 'c'] }, 'a, c'],
  [{ answer: 'yes-or-no' }, { answer: true }, 'Yes.'],
  [{ answer: 'yes-or-no' }, { answer: false }, 'No.'],
])('%j answered with %j is %j', async (input, content, text) => {
  const { result } = await ask({ question: 'Which?', ...input }, accept(content as Record<string, string>));
  expect(result).toEqual({ text });
});

test('a choice that was not offered is not accepted as an answer', async () => {
  const { result } = await ask({ question: 'Which?', choices: ['red', 'green'] }, accept({ answer: 'black' }));
  expect(result.text).toMatch(/^The user does not want to answer that/);
});

test('"no" is passed on as an answer, and dismissing the question ends the turn', async () => {
  const declined = await ask({ question: 'Which?' }, { action: 'decline' });
  const dismissed = await ask({ question: 'Which?' }, { action: 'cancel' });
  expect([declined.result, dismissed.result]).toEqual([
    {
      text: 'The user does not want to answer that. Continue without an answer if that is safe, and report your assumptions.',
    },
    { text: 'The user dismissed the question.', endTurn: true },
  ]);
});

test.each([
  [{ question: ' ' }, 'question'],
  [{ question: 'Which?', answer: 'one' }, 'give the choices to choose from'],
  [{ question: 'Which?', choices: ['a', 'a'] }, 'two choices are the same'],
  [{ question: 'Which?', choices: ['a'] }, 'choices'],
])('%j cannot be asked', async (input, reason) => {
  await using fixture = await ToolFixture.open();
  await expect(fixture.use('ask', input)).rejects.toThrow(reason);
});

test('without forms in the client, the question is sent as a message, the turn ends, and the next prompt is the answer', async () => {
  const question = { question: 'Which colour?', choices: ['red', 'green'] };
  const model = new ScriptedModel([calls('ask', question), finishes('tool-calls')]);
  await using session = await scriptedSession({ model });
  expect(await session.prompt('paint it')).toMatchObject({ stopReason: 'end_turn' });
  const said = session.updates.flatMap((update) =>
    update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? [update.content.text] : [],
  );
  expect(said).toEqual([expect.stringMatching(/^Which colour\?\n\n- Choose \(red, green\)/)]);
  expect(model.asked.length).toBe(1);
  await session.prompt('red');
  expect(model.asked[1]?.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
});
