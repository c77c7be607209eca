import type { QuestionView } from '@turnwire/permissions';
import { expect, test } from 'vitest';
import { answerChoices } from '../src/questions/answer-choices.ts';

test("the agent's name for an answer is cut, so that it cannot push the others off the screen", () => {
  const choice = { kind: 'allow_once', word: 'Allow once', agentName: 'w'.repeat(500) };
  const [shown] = answerChoices({ choices: [choice] } as unknown as QuestionView, { canWriteMessage: true });
  expect(shown?.detail).toBe(`the agent calls it "${'w'.repeat(59)}…"`);
});
