import { join } from 'node:path';
import { optionOfKind, type PermissionDecision } from '@turnwire/client';
import { type AgentDifferences, permissionsOptionsFor } from '@turnwire/client/known-agents';
import {
  allowedTools,
  type Answer,
  answerOf,
  createPermissions,
  type GivenRule,
  type Permissions,
  type PermissionsOptions,
  policyOfFlag,
  type PolicySettings,
  type Question,
  readPolicy,
} from '@turnwire/permissions';
import { configFolder } from '@turnwire/machine';
import { acceptedRulesFile } from '../places.ts';
import { visibleLine } from '../terminal/clean-text.ts';
import type { AskUser } from './ask-user.ts';
import { keepDecisions } from './keep-decisions.ts';
import type { PermissionSettings } from './permission-settings.ts';

/** What permissions are made of besides the settings. */
export interface TurnPermissionsParts {
  /** The folder of the project. */
  readonly cwd: string;
  /** Asks the user; absent when there is none. */
  readonly ask?: AskUser | undefined;
  /** Tells the user something. */
  readonly remark: (message: string) => void;
  /** Ends the turn. */
  readonly stop: (message: string) => void;
  /** What is known of the agent. */
  readonly differences?: AgentDifferences | undefined;
  /** Rules that were made in the session before. */
  readonly rules?: readonly GivenRule[];
  /** True if the user wants to hear of what does not matter to the turn, too. */
  readonly isVerbose?: boolean | undefined;
}

/** The permissions of a turn: rules from the command line and from files, a mode, and a user or the rule for when there is none. */
export function turnPermissions(settings: PermissionSettings, parts: TurnPermissionsParts): Permissions {
  const { cwd, remark, ask } = parts;
  const permissions: Permissions = createPermissions({
    project: cwd,
    ...judgement(settings, parts.rules ?? []),
    ...permissionsOptionsFor(parts.differences),
    files: rulesFiles(cwd),
    ask: ask
      ? async (question) => answerOf(question, await ask(question.view, question.signal))
      : async (question) => answerForNobody(question, { settings, parts, permissions }),
    onWarning: remark,
  });
  keepDecisions(permissions, parts.isVerbose ? remark : undefined);
  return permissions;
}

export type Judgement = Pick<PermissionsOptions, 'mode' | 'rules' | 'otherwise' | 'allowing'>;

/**
 * The rules and the mode of the command line, with those made in the session before. Nothing widens what it forbids: with a list of
 * tools nothing else allows anything, and where everything is refused no file and no rule made before does.
 */
export function judgement(settings: PermissionSettings, made: readonly GivenRule[]): Judgement {
  const { base } = settings;
  const policy = settings.policy ? readPolicy(settings.policy) : { rules: [] };
  if (base === 'deny-all' || settings.allowedTools !== undefined) return restricted(settings, policy.rules, made);
  const flags: PolicySettings = base === 'ask' ? { rules: [] } : policyOfFlag(base);
  const mode = settings.mode ?? flags.mode;
  // What a policy says about everything comes before a mode that allows everything.
  const isOverruled = mode === 'bypassPermissions' && (policy.otherwise === 'deny' || policy.otherwise === 'ask');
  const rules = [...policy.rules, ...flags.rules, ...made];
  return { ...(!isOverruled && { mode }), rules, otherwise: policy.otherwise };
}

function restricted(
  { base, mode, allowedTools: list }: PermissionSettings,
  policy: readonly GivenRule[],
  made: readonly GivenRule[],
): Judgement {
  const forbidding = (rules: readonly GivenRule[]): readonly GivenRule[] =>
    rules.filter(({ effect }) => effect !== 'allow');
  const listed = list === undefined || base === 'deny-all' ? [] : allowedTools(list);
  return {
    ...(mode === 'plan' && { mode }),
    rules: [...(list === undefined ? policy : forbidding(policy)), ...listed, ...forbidding(made)],
    otherwise: 'deny',
    allowing: list === undefined ? 'given-and-mode' : 'given',
  };
}

/** Where rules are kept, and which of a project's are accepted. */
export function rulesFiles(cwd: string): NonNullable<PermissionsOptions['files']> {
  return {
    project: join(cwd, '.turnwire', 'permissions.json'),
    user: join(configFolder(), 'permissions.json'),
    accepted: acceptedRulesFile(),
  };
}

/** Where nobody can be asked: only to read and to search is allowed, and nothing a rule asks about, nor what may hold secrets. */
function answerForNobody(
  { request, action, reason, view }: Question,
  { settings, parts: { cwd, remark, stop }, permissions }: Headless,
): Answer {
  const isUnsaid = permissions.judge(action, 'allow').effect === 'allow';
  const reading = createPermissions({ project: cwd, ...policyOfFlag('approve-reads') });
  if (isUnsaid && reading.judge(action).effect === 'allow')
    return answerWith(optionOfKind(request.options, 'allow_once', 'allow_always'));
  const what = visibleLine(view.summary);
  const hint = isUnsaid ? '--approve-all allows it' : visibleLine(reason.replace(/^asked: /, ''));
  if (settings.whenNobodyAnswers === 'fail') {
    stop(`stopped: the agent asks for permission (${what}) and nobody can be asked here; ${hint}`);
    return undefined;
  }
  remark(`refused: ${what} (nobody can be asked here; ${hint})`);
  return answerWith(optionOfKind(request.options, 'reject_once', 'reject_always'));
}

function answerWith(option: PermissionDecision): Answer {
  return option && { option };
}

interface Headless {
  readonly settings: PermissionSettings;
  readonly parts: TurnPermissionsParts;
  readonly permissions: Permissions;
}
