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
import type { AskUser } from '../questions/ask-user.ts';
import { keepDecisions } from './keep-decisions.ts';
import type { PermissionSettings } from './permission-settings.ts';

/** What permissions need besides the settings. */
export interface TurnPermissionsParts {
  /** The folder of the project. */
  readonly cwd: string;
  /** Asks the user; absent if there is none. */
  readonly ask?: AskUser | undefined;
  /** Shows the user a message. */
  readonly remark: (message: string) => void;
  /** Ends the turn. */
  readonly stop: (message: string) => void;
  /** Facts about the agent, if it is a known one. */
  readonly differences?: AgentDifferences | undefined;
  /** Rules made earlier in the session. */
  readonly rules?: readonly GivenRule[];
  /** True if the user wants messages that do not matter to the turn as well. */
  readonly isVerbose?: boolean | undefined;
}

/** The permissions of a turn: rules from the command line and from files, a mode, and the user or a default answer. */
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
 * The rules and the mode of the command line, with the rules made earlier in the session. Nothing widens what it forbids: with a list of
 * tools nothing else allows anything, and if everything is refused no file and no earlier rule allows it.
 */
export function judgement(settings: PermissionSettings, made: readonly GivenRule[]): Judgement {
  const { base } = settings;
  const policy = settings.policy ? readPolicy(settings.policy) : { rules: [] };
  if (base === 'deny-all' || settings.allowedTools !== undefined) return restricted(settings, policy.rules, made);
  const flags: PolicySettings = base === 'ask' ? { rules: [] } : policyOfFlag(base);
  const mode = settings.mode ?? flags.mode;
  // A policy's general rule comes before a mode that allows everything.
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

/** Where rules are stored, and which of a project's are accepted. */
export function rulesFiles(cwd: string): NonNullable<PermissionsOptions['files']> {
  return {
    project: join(cwd, '.turnwire', 'permissions.json'),
    user: join(configFolder(), 'permissions.json'),
    accepted: acceptedRulesFile(),
  };
}

/** The answer without a user: only reading and searching is allowed, except for rules that ask and files that may hold secrets. */
function answerForNobody(
  { request, action, reason, view }: Question,
  {
    settings,
    parts: { cwd, remark, stop },
    permissions,
  }: { readonly settings: PermissionSettings; readonly parts: TurnPermissionsParts; readonly permissions: Permissions },
): Answer {
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
  remark(`refused: ${what} (there is no user to ask; ${hint})`);
  return answerWith(optionOfKind(request.options, 'reject_once', 'reject_always'));
}

function answerWith(option: PermissionDecision): Answer {
  return option && { option };
}
