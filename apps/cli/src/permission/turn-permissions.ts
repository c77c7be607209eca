import { join } from 'node:path';
import { optionOfKind } from '@turnwire/client';
import { type AgentDifferences, permissionsOptionsFor } from '@turnwire/client/known-agents';
import {
  allowedTools,
  type Answer,
  createPermissions,
  type GivenRule,
  type Permissions,
  type PermissionsOptions,
  policyOfFlag,
  type PolicySettings,
  type Question,
  readPolicy,
} from '@turnwire/client/permissions';
import type { PermissionOption, RequestPermissionRequest } from '@turnwire/protocol';
import { acceptedRulesFile, configFolder } from '../places.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { keepDecisions } from './keep-decisions.ts';
import type { PermissionSettings } from './permission-settings.ts';

/** Asks a person; resolves with nothing if they gave no answer. */
type AskPerson = (request: RequestPermissionRequest, signal: AbortSignal) => Promise<PermissionOption | undefined>;

/** What permissions are made of besides the settings. */
export interface TurnPermissionsParts {
  /** The folder of the project. */
  readonly cwd: string;
  /** Asks the person; absent when there is none. */
  readonly ask?: AskPerson | undefined;
  /** Tells the person something. */
  readonly remark: (message: string) => void;
  /** Ends the turn. */
  readonly stop: (message: string) => void;
  /** What is known of the agent. */
  readonly differences?: AgentDifferences | undefined;
  /** Rules that were made in the session before. */
  readonly rules?: readonly GivenRule[];
  /** True if the person wants to hear of what does not matter to the turn, too. */
  readonly isVerbose?: boolean | undefined;
}

/** The permissions of a turn: rules from the command line and from files, a mode, and a person or the rule for when there is none. */
export function turnPermissions(settings: PermissionSettings, parts: TurnPermissionsParts): Permissions {
  const { cwd, remark } = parts;
  const permissions = createPermissions({
    project: cwd,
    ...judgement(settings, parts.rules ?? []),
    ...permissionsOptionsFor(parts.differences),
    // What a file allows is not allowed by whoever refuses everything.
    ...(settings.base !== 'deny-all' && { files: rulesFiles(cwd) }),
    ask: (question) => answer(question, settings, parts),
    onTrouble: remark,
  });
  keepDecisions(permissions, parts.isVerbose ? remark : undefined);
  return permissions;
}

export type Judgement = Pick<PermissionsOptions, 'mode' | 'rules' | 'otherwise'>;

/** The rules and the mode of the command line, with those made in the session before. */
export function judgement(settings: PermissionSettings, made: readonly GivenRule[]): Judgement {
  const flags: PolicySettings = settings.base === 'ask' ? { rules: [] } : policyOfFlag(settings.base);
  const policy = settings.policy ? readPolicy(settings.policy) : { rules: [] };
  if (settings.base === 'deny-all') return { ...flags, ...policy };
  const rules = [...policy.rules, ...flags.rules, ...made];
  const { otherwise } = policy;
  if (settings.allowedTools === undefined) return { mode: settings.mode ?? flags.mode, rules, otherwise };
  // A list of tools that may be used means: no others. That holds for whoever approves everything, too.
  return { rules: [...rules, ...allowedTools(settings.allowedTools)], otherwise: otherwise ?? 'deny' };
}

/** Where rules are kept, and which of a project's are accepted. */
export function rulesFiles(cwd: string): NonNullable<PermissionsOptions['files']> {
  return {
    project: join(cwd, '.turnwire', 'permissions.json'),
    user: join(configFolder(), 'permissions.json'),
    accepted: acceptedRulesFile(),
  };
}

/** Asks the person. Where there is none, reading and searching is allowed and the rest is not. */
async function answer(
  { request, action, signal }: Question,
  settings: PermissionSettings,
  { ask, remark, stop }: TurnPermissionsParts,
): Promise<Answer> {
  if (ask) {
    const option = await ask(request, signal);
    return option && { option };
  }
  const isReading = action.kind === 'read' || action.kind === 'search';
  const title = cleanLine(request.toolCall.title ?? request.toolCall.toolCallId);
  if (!isReading && settings.whenNobodyAnswers === 'fail') {
    stop(`stopped: the agent asks for permission (${title}) and nobody can be asked here; --approve-all allows it`);
    return undefined;
  }
  if (!isReading) remark(`refused: ${title} (nobody can be asked here; --approve-all allows it)`);
  const option = isReading
    ? optionOfKind(request.options, 'allow_once', 'allow_always')
    : optionOfKind(request.options, 'reject_once', 'reject_always');
  return option && { option };
}
