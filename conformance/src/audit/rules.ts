import type { Rule } from './rule.ts';
import { answerShape, oneAnswer, requestIds } from './rules/answers.ts';
import { compactions } from './rules/compaction.ts';
import { completeOptions, listedValue, soundOptions } from './rules/config-options.ts';
import { elicitationIds, filledForms, soundQuestions } from './rules/elicitation.ts';
import { framing } from './rules/framing.ts';
import { offeredOnly } from './rules/gates.ts';
import { agentIntroduction, clientIntroduction, initializeFirst, initializeOnce } from './rules/initialize.ts';
import { knownLogin, loginCommand } from './rules/login.ts';
import { knownModes, listedMode, modesInStep } from './rules/modes.ts';
import { keysAndTags, methodNames, traceContext } from './rules/names.ts';
import { absolutePaths, distinctRoots, lineNumbers } from './rules/paths.ts';
import { distinctOptions, permissionAnswers } from './rules/permissions.ts';
import { noOwnMessageIds, soundBytes } from './rules/prompts.ts';
import { schema } from './rules/schema.ts';
import { cursors, freshSessionIds, historyInPlace, infoWithoutLocation, listedTimes } from './rules/session-answers.ts';
import { embeddedThenReleased, everyTerminalReleased, nothingUnoffered, terminalAnswers } from './rules/terminals.ts';
import { toolCalls } from './rules/tool-calls.ts';
import { cancelCascades, updatesBeforeAnswer } from './rules/turns.ts';
import { unstable } from './rules/unstable.ts';

export const rules: readonly Rule[] = [
  ...[framing, answerShape, oneAnswer, requestIds],
  ...[...schema, methodNames, keysAndTags, traceContext],
  ...[...absolutePaths, lineNumbers, distinctRoots, offeredOnly],
  ...[agentIntroduction, clientIntroduction, initializeFirst, initializeOnce, loginCommand, knownLogin],
  ...[freshSessionIds, historyInPlace, infoWithoutLocation, listedTimes, cursors],
  ...[updatesBeforeAnswer, cancelCascades, toolCalls],
  ...[
    distinctOptions,
    permissionAnswers,
    embeddedThenReleased,
    everyTerminalReleased,
    terminalAnswers,
    nothingUnoffered,
  ],
  ...[knownModes, modesInStep, listedMode, soundOptions, completeOptions, listedValue],
  ...[soundQuestions, elicitationIds, filledForms, compactions],
  ...[noOwnMessageIds, soundBytes, unstable],
];
