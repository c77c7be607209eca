import { optionOfKind, type PermissionDecision } from '@turnwire/client';
import { type AgentDifferences, permissionsOptionsFor } from '@turnwire/client/known-agents';
import type { SessionRecord, SessionRulesParts as RuleMaking } from '@turnwire/runtime';
import {
  type Answer,
  createPermissions,
  type Permissions,
  policyOfFlag,
  type Question,
  rulesFiles,
} from '@turnwire/permissions';
import { judgement } from '../permission/judgement.ts';
import { keepDecisions } from '../permission/keep-decisions.ts';
import type { PermissionSettings } from '../permission/permission-settings.ts';
import { readTurnRules, type TurnRules } from '../permission/turn-rules.ts';
import { visibleLine } from '../terminal/clean-text.ts';

/** What the rules of a gateway need besides the settings. */
export interface SessionRulesParts {
  /** Facts about an agent, by its name, if it is a known one. */
  readonly differences: (agent: string) => AgentDifferences | undefined;
  /** Whether a user can be asked during turns without settings of their own. Default: true. */
  readonly canAsk?: boolean;
  /** Called once if decisions cannot be written down; absent: that is ignored. */
  readonly warn?: (message: string) => void;
}

/**
 * The rules of the sessions of a gateway: those of the command line, of the user and of the session's project. A prompt of a command brings
 * settings of its own. What they leave open is asked, or refused if the command has no user to ask.
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
      files: rulesFiles(cwd),
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

/** The answer without a user: only reading and searching is allowed, except for rules that ask and files that may hold secrets. */
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
