/** What an agent can be asked to do, so that it shows how it does it. */
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
  | 'repeat';

/**
 * The prompt that makes an agent do each thing, with `{names}` to be filled in; null for what it cannot be made to do. A model gets the
 * prompts as a user would write them.
 */
export type Steering = Readonly<Record<Action, string | null>>;

/** Prompts that a model understands, and the built-in agent without a model too. */
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
};

/** The prompt for an action, filled in; undefined if the agent cannot be made to do it. */
export function promptFor(
  steering: Steering,
  action: Action,
  values: Readonly<Record<string, string>>,
): string | undefined {
  return steering[action]?.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
