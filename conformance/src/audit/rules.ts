import type { CheckedVersion } from '../requirements/requirement.ts';
import type { Rule } from './rule.ts';
import { answerShape, oneAnswer, requestIds } from './rules/answers.ts';
import { compactions } from './rules/compaction.ts';
import { completeOptions, listedValue, soundOptions } from './rules/config-options.ts';
import { elicitationIds, filledForms, soundQuestions } from './rules/elicitation.ts';
import { framing } from './rules/framing.ts';
import { offeredInVersion2, offeredOnly } from './rules/gates.ts';
import { agentIntroduction, clientIntroduction, initializeFirst, initializeOnce } from './rules/initialize.ts';
import { knownLogin, loginCommand, loginErrors } from './rules/login.ts';
import { knownModes, listedMode, modesInStep } from './rules/modes.ts';
import { keysAndTags, methodNames, traceContext } from './rules/names.ts';
import { absolutePaths, distinctRoots, lineNumbers } from './rules/paths.ts';
import { permissionCalls } from './rules/permission-calls.ts';
import { distinctOptions, permissionAnswers } from './rules/permissions.ts';
import { offeredCancels } from './rules/version-2/offered-cancels.ts';
import { noEmptyPrompt, noOwnMessageIds, soundBytes } from './rules/prompts.ts';
import { schema, schemaOfVersion2 } from './rules/schema.ts';
import { cursors, freshSessionIds, historyInPlace, infoWithoutLocation, listedTimes } from './rules/session-answers.ts';
import {
  embeddedThenReleased,
  everyTerminalReleased,
  namedFolder,
  nothingUnoffered,
  terminalAnswers,
} from './rules/terminals.ts';
import { toolCalls } from './rules/tool-calls.ts';
import { cancelCascades, cancelledByClient, updatesBeforeAnswer } from './rules/turns.ts';
import { unstable } from './rules/unstable.ts';
import { children } from './rules/version-2/children.ts';
import { entities } from './rules/version-2/entities.ts';
import { promptMessages } from './rules/version-2/prompts.ts';
import { replayOrder } from './rules/version-2/replays.ts';
import { states } from './rules/version-2/states.ts';
import { distinctLogins, envelope, openValues, patchPaths } from './rules/version-2/values.ts';

/** The rules that hold in every version. */
const shared: readonly Rule[] = [
  ...[framing, answerShape, oneAnswer, requestIds, methodNames, keysAndTags, traceContext],
  ...[lineNumbers, ...absolutePaths, loginCommand, freshSessionIds, distinctOptions, soundBytes],
  ...[soundOptions, completeOptions, soundQuestions, elicitationIds, cursors, initializeFirst, initializeOnce],
  ...[loginErrors, permissionCalls],
];

/** The rules of each version of the protocol. */
export const rules: Readonly<Record<CheckedVersion, readonly Rule[]>> = {
  1: [
    ...[...shared, ...schema, distinctRoots, offeredOnly],
    ...[agentIntroduction, clientIntroduction, knownLogin],
    ...[historyInPlace, infoWithoutLocation, listedTimes, updatesBeforeAnswer, cancelCascades, toolCalls],
    ...[cancelledByClient],
    ...[permissionAnswers, embeddedThenReleased, everyTerminalReleased, namedFolder, terminalAnswers, nothingUnoffered],
    ...[knownModes, modesInStep, listedMode, listedValue, filledForms, compactions, noOwnMessageIds, unstable],
  ],
  2: [
    ...[...shared, ...schemaOfVersion2, offeredInVersion2, offeredCancels, noEmptyPrompt],
    ...[states, replayOrder, promptMessages, entities, children, openValues, envelope, patchPaths, distinctLogins],
  ],
};
