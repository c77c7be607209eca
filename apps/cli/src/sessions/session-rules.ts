import { optionOfKind, type PermissionDecision } from '@turnwire/client';
import { type AgentDifferences, permissionsOptionsFor } from '@turnwire/client/known-agents';
import type { SessionRecord, SessionRulesParts as RuleMaking } from '@turnwire/runtime';
import {
  type Answer,
  createPermissions,
  decisionLog,
  type Permissions,
  policyOfFlag,
  type Question,
  rulesFiles,
} from '@turnwire/permissions';
import { judgement } from '../permission/judgement.ts';
import { decisionWrites } from '../permission/pending-writes.ts';
import type { PermissionSettings } from '../permission/permission-settings.ts';
import { readTurnRules, type TurnRules } from '../permission/turn-rules.ts';
import { decisionsFile } from '../places.ts';
import { originFolder } from '../own-places/place-folders.ts';
import { visibleLine } from '../terminal/clean-text.ts';

/** The inputs of session rules besides the settings. */
export interface SessionRulesParts {
  /** Returns the differences of a known agent by its name. */
  readonly differences: (agent: string) => AgentDifferences | undefined;
  /** Whether a user can answer questions during turns without their own settings. Default: true. */
  readonly canAsk?: boolean;
  /** Called once if the log of decisions cannot be written. Default: the failure is ignored. */
  readonly warn?: (message: string) => void;
}

/**
 * Makes the rules of sessions: those of the command line, of the user and of the session's project. A command sends its own settings with each
 * prompt. The user answers the requests that the rules leave open; a command without a user refuses them.
 */
export function sessionRules(
  settings: PermissionSettings,
  { differences, warn, canAsk = true }: SessionRulesParts,
): (session: Pick<SessionRecord, 'cwd' | 'agent'>, parts: RuleMaking) => Permissions {
  return ({ cwd, agent }, { ask, onWarning, given, made, stop }) => {
    const turn: TurnRules = given === undefined ? { settings, canAsk } : readTurnRules(given);
    const permissions: Permissions = createPermissions({
      project: cwd,
      ...judgement(turn.settings, made),
      ...permissionsOptionsFor(differences(agent)),
      // Rules of the project apply in its places, and answers to keep are kept with it.
      files: rulesFiles(originFolder(cwd)),
      ask: turn.canAsk
        ? ask
        : async (question) =>
            answerWithoutUser(question, { settings: turn.settings, cwd, permissions, warn: onWarning, stop }),
      onWarning,
    });
    keepDecisions(permissions, warn ?? (turn.isVerbose ? onWarning : undefined));
    return permissions;
  };
}

interface Unattended {
  readonly settings: PermissionSettings;
  readonly cwd: string;
  readonly permissions: Permissions;
  readonly warn: ((message: string) => void) | undefined;
  readonly stop: (message: string) => void;
}

/** Answers without a user: allows only reading and searching, and neither if a rule asks or a file may hold secrets. */
function answerWithoutUser({ request, action, reason, view }: Question, by: Unattended): Answer {
  const { settings, cwd, permissions, warn, stop } = by;
  const isUnsaid = permissions.judge(action, 'allow').effect === 'allow';
  const reading = createPermissions({ project: cwd, ...policyOfFlag('approve-reads') });
  if (isUnsaid && reading.judge(action).effect === 'allow')
    return answerWith(optionOfKind(request.options, 'allow_once', 'allow_always'));
  const what = visibleLine(view.summary);
  const hint = isUnsaid ? '--approve-all allows it' : visibleLine(reason.replace(/^asked: /, ''));
  if (settings.nonInteractive === 'fail') {
    stop(`stopped: the agent asks for permission (${what}) and there is no user to ask; ${hint}`);
    return undefined;
  }
  warn?.(`refused: ${what} (there is no user to ask; ${hint})`);
  return answerWith(optionOfKind(request.options, 'reject_once', 'reject_always'));
}

function answerWith(option: PermissionDecision): Answer {
  return option && { option };
}

/**
 * Logs decisions to the file of decisions. A failure to write it does not fail the turn.
 * @param warn called once if that fails. Undefined: the failure is ignored
 */
function keepDecisions(permissions: Permissions, warn: ((message: string) => void) | undefined): void {
  let log: ReturnType<typeof decisionLog> | undefined;
  let hasFailed = false;
  permissions.onDecision((record) => {
    // The first decision creates the folder: most processes never make one.
    log ??= decisionLog(decisionsFile());
    log.listener(record);
    const written = log.flush().catch((error: unknown) => {
      if (!hasFailed) warn?.(`decisions are not written to ${decisionsFile()}: ${(error as Error).message}`);
      hasFailed = true;
    });
    decisionWrites.add(written);
  });
}
