import { answerOf, type GivenRule, type Permissions } from '@turnwire/permissions';
import type { AgentDifferences } from '@turnwire/client/known-agents';
import { sessionRules } from '../gateway/session-rules.ts';
import type { PermissionSettings } from '../permission/permission-settings.ts';
import type { AskUser } from '../questions/ask-user.ts';

/** What permissions need besides the settings. */
export interface TurnPermissionsParts {
  readonly cwd: string;
  readonly ask?: AskUser | undefined;
  readonly remark: (message: string) => void;
  readonly stop: (message: string) => void;
  readonly differences?: AgentDifferences | undefined;
  readonly rules?: readonly GivenRule[];
  readonly isVerbose?: boolean | undefined;
}

/** The permissions of a turn. */
export function turnPermissions(settings: PermissionSettings, parts: TurnPermissionsParts): Permissions {
  const { cwd, ask, remark, stop, differences, rules = [], isVerbose } = parts;
  const record = { cwd, agent: '' } as Parameters<ReturnType<typeof sessionRules>>[0];
  return sessionRules(settings, { differences: () => differences })(record, {
    ask: ask && (async (question) => answerOf(question, await ask(question.view, question.signal))),
    onWarning: remark,
    given: { settings, canAsk: ask !== undefined, ...(isVerbose && { isVerbose: true }) },
    made: rules,
    stop,
  });
}
