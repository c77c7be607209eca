/** Actions that an agent can be prompted to perform, so that its behaviour can be observed. */
export type Action =
  | 'say'
  | 'think'
  | 'read'
  | 'write'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'run'
  | 'fetch'
  | 'plan'
  | 'ask'
  | 'switch mode'
  | 'repeat'
  | 'delegate';

/**
 * The prompt for each action, with `{names}` to fill in; null if the agent cannot perform it. A model receives the prompts as a user
 * would write them.
 */
export type Steering = Readonly<Record<Action, string | null>>;

/** Prompts that both a model and the built-in agent without a model understand. */
export const defaultSteering: Steering = {
  say: 'say "{text}"',
  think: 'think "{text}" then say "done"',
  read: 'read {path}',
  write: 'create {path} with "{text}"',
  edit: 'replace "{old}" with "{new}" in {path}',
  delete: 'delete {path}',
  move: 'move {path} to {target}',
  search: 'search for {text}',
  run: 'run {command}',
  fetch: 'fetch {url}',
  plan: 'plan: [x] {first}; [~] {second}; {third}',
  ask: 'ask "{question}" choices: {choices}',
  'switch mode': 'switch to {mode} with plan: {plan}',
  repeat: 'again',
  delegate: 'delegate to a subagent: say "{text}"',
};

/** The filled-in prompt for an action; undefined if the agent cannot perform it. */
export function promptFor(
  steering: Steering,
  action: Action,
  values: Readonly<Record<string, string>>,
): string | undefined {
  return steering[action]?.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
