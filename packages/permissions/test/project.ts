import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PermissionOption, RequestPermissionRequest, ToolCallUpdate } from '@turnwire/protocol';
import { afterEach } from 'vitest';
import {
  type Action,
  createPermissions,
  type Decision,
  type GivenRule,
  type PermissionMode,
  type Permissions,
  type PermissionsOptions,
  type RuleEffect,
} from '../src/index.ts';

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'permission-')));
  made.push(folder);
  return folder;
}

/** A project with files next to a folder `outside`, with links between them. */
export function project(): string {
  const folder = temporaryFolder();
  for (const each of ['project/src/deep', 'project/.git/hooks', 'project/.turnwire', 'outside']) {
    mkdirSync(join(folder, each), { recursive: true });
  }
  for (const each of ['project/src/a.ts', 'project/secret.txt', 'outside/b.txt']) writeFileSync(join(folder, each), '');
  symlinkSync(join(folder, 'outside'), join(folder, 'project/out'));
  symlinkSync(join(folder, 'outside/new.txt'), join(folder, 'project/dangling'));
  symlinkSync(join(folder, 'project/secret.txt'), join(folder, 'project/src/innocent.txt'));
  return join(folder, 'project');
}

export function action(cwd: string, facts: Partial<Action> = {}): Action {
  return { sessionId: 's', roots: [cwd], kind: 'execute', paths: [], source: 'request', ...facts };
}

/** `allow Bash(git *)` as a rule. */
export function given(text: string): GivenRule {
  const [effect = '', ...rest] = text.split(' ');
  return { effect: effect as RuleEffect, text: rest.join(' ') };
}

export function withRules(cwd: string, rules: readonly string[], mode: PermissionMode = 'default'): Permissions {
  return createPermissions({ project: cwd, mode, rules: rules.map(given), home: join(cwd, '..', 'home') });
}

/** The decisions of rules and a mode about commands, or about whole actions. */
export function judging(
  cwd: string,
  rules: readonly string[],
  mode: PermissionMode = 'default',
): (asked: string | Partial<Action>) => Decision {
  const permissions = withRules(cwd, rules, mode);
  return (asked) => permissions.judge(action(cwd, typeof asked === 'string' ? { command: asked, cwd } : asked));
}

/** The options that most agents offer, in an unusual order. */
export const options: readonly PermissionOption[] = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'never', name: 'Never', kind: 'reject_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
];

export function request(toolCall: Partial<ToolCallUpdate>, offered = options): RequestPermissionRequest {
  return { sessionId: 's', toolCall: { toolCallId: 'call', ...toolCall }, options: offered };
}

/** A request to run a command. */
export function toRun(command: string, toolCallId = 'call'): RequestPermissionRequest {
  return request({ toolCallId, kind: 'execute', rawInput: { command } });
}

/** The answer of a policy: the kind of the option, or `cancelled`. */
export async function answered(options_: PermissionsOptions, asked: RequestPermissionRequest): Promise<string> {
  return (
    (await createPermissions(options_).policy(asked, { signal: new AbortController().signal }))?.kind ?? 'cancelled'
  );
}
