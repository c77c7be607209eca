import type { AgentCheckOptions, CheckedVersion, ClientCheckOptions, ExtraProfile } from '@turnwire/conformance';
import type { GlobalOptions } from '../../options.ts';
import { readPrompts } from './read-prompts.ts';

/** The options of a check. */
export interface SettingArguments {
  readonly seed?: number;
  readonly jobs: number;
  /** The time limit of each answer, in seconds. */
  readonly timeout?: number | undefined;
  /** The time limit of a turn, in seconds. */
  readonly turnTimeout?: number;
  readonly authMethod?: string;
  /** A file. */
  readonly prompts?: string;
  readonly profile: readonly ExtraProfile[];
  /** The version of the protocol. */
  readonly protocol: CheckedVersion;
}

/** The settings for checking an agent. Throws CommandError, exit code 2, if the prompts cannot be used. */
export async function checkSettings(
  { seed, jobs, timeout = 10, turnTimeout = 60, authMethod, prompts, profile, protocol }: SettingArguments,
  { auth }: GlobalOptions,
): Promise<AgentCheckOptions> {
  const method = authMethod ?? auth;
  return {
    jobs,
    profiles: profile,
    version: protocol,
    timeouts: { answer: timeout * 1000, turn: turnTimeout * 1000 },
    ...(seed !== undefined && { seed }),
    ...(method !== undefined && { authMethod: method }),
    ...(prompts !== undefined && { steering: await readPrompts(prompts) }),
  };
}

/** The options for a command line that repeats the check. */
export function settingWords({
  timeout,
  turnTimeout,
  authMethod,
  prompts,
}: Omit<SettingArguments, 'jobs' | 'seed' | 'profile' | 'protocol'>): readonly string[] {
  const option = (name: string, value: string | number | undefined): readonly string[] =>
    value === undefined ? [] : [name, String(value)];
  return [
    ...option('--timeout', timeout),
    ...option('--turn-timeout', turnTimeout),
    ...option('--auth-method', authMethod),
    ...option('--prompts', prompts),
  ];
}

/** The settings for checking a client. `--timeout` limits each answer, `--turn-timeout` each action of the driver. */
export function clientSettings({
  seed,
  jobs,
  profile,
  protocol,
  timeout = 10,
  turnTimeout = 20,
}: SettingArguments): ClientCheckOptions {
  return {
    jobs,
    profiles: profile,
    version: protocol,
    timeouts: { start: 30_000, answer: timeout * 1000, end: turnTimeout * 1000, leave: 8_000 },
    ...(seed !== undefined && { seed }),
  };
}
