// The allowed values of options and settings, in the order of the help page. The first value is the default.

export const permissionBases = ['ask', 'approve-reads', 'approve-all', 'deny-all'] as const;
export const permissionModes = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const;
/** Where new sessions work. */
export const places = ['here', 'worktree', 'clone', 'copy'] as const;
/** The versions of the protocol. */
export const protocols = [1, 2] as const;
/** Handling of a permission request without a user: refuse it, or end the turn. */
export const withoutUser = ['deny', 'fail'] as const;
/** Handling of an agent that requires a login: continue without it, or end the turn. */
export const authPolicies = ['skip', 'fail'] as const;
/** Output formats of a turn. */
export const formats = ['text', 'json', 'quiet'] as const;
/** The keys of a chat's prompt editor. */
export const editors = ['emacs', 'vim'] as const;
/** The facts of a chat's status line. The mode is shown even if it is not listed while it allows everything. */
export const statusFacts = ['folder', 'agent', 'model', 'approval', 'mode', 'context', 'cost'] as const;
/** The backgrounds that colours are chosen for. */
export const themes = ['auto', 'dark', 'light'] as const;
/** The actions of a chat that a key can be chosen for, and the key that each has anyway. `none` turns a key off. */
export const keyActions = {
  send: 'return',
  'new-line': 'meta-return',
  stop: 'escape',
  leave: 'ctrl-d',
  complete: 'tab',
  previous: 'up',
  next: 'down',
  'search-prompts': 'ctrl-r',
  'external-editor': 'ctrl-g',
  'attach-image': 'ctrl-v',
  'next-mode': 'shift-tab',
  transcript: 'ctrl-o',
  running: 'ctrl-x',
  thoughts: 'ctrl-t',
  suspend: 'ctrl-z',
  redraw: 'ctrl-l',
  undo: 'ctrl-_',
  none: '',
} as const;
export type KeyAction = keyof typeof keyActions;
/**
 * A key in a configuration: modifiers and a name, such as `ctrl-s`, `alt-enter` or `shift-tab`. Keys that type text cannot have another
 * action, and Ctrl-C always stops.
 */
export const keyName: RegExp =
  /^(?!ctrl-c$)(?:(?:(?:ctrl-|alt-|shift-)+(?:[a-z_]|enter|tab|space|backspace|delete|up|down|left|right|home|end|pageup|pagedown|f\d{1,2}))|enter|tab|escape|up|down|left|right|home|end|pageup|pagedown|f\d{1,2})$/;
