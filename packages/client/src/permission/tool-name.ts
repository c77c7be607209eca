/** What a tool does, as rules name it. */
export type ToolClass =
  | 'Bash'
  | 'Read'
  | 'Search'
  | 'Edit'
  | 'Delete'
  | 'Move'
  | 'WebFetch'
  | 'Think'
  | 'SwitchMode'
  | 'Other';

const classes: Readonly<Record<string, ToolClass>> = {
  Bash: 'Bash',
  Execute: 'Bash',
  Shell: 'Bash',
  Read: 'Read',
  Search: 'Search',
  Grep: 'Search',
  Glob: 'Search',
  Edit: 'Edit',
  Write: 'Edit',
  MultiEdit: 'Edit',
  Delete: 'Delete',
  Move: 'Move',
  WebFetch: 'WebFetch',
  Fetch: 'WebFetch',
  Think: 'Think',
  // The kinds of the protocol, by their own names.
  execute: 'Bash',
  read: 'Read',
  search: 'Search',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
  fetch: 'WebFetch',
  think: 'Think',
  switch_mode: 'SwitchMode',
  other: 'Other',
};

/** The class a rule's name or a kind of the protocol stands for; undefined if it is the name of one tool. */
export function toolClass(name: string): ToolClass | undefined {
  return Object.hasOwn(classes, name) ? classes[name] : undefined;
}

/** What a rule that denies or asks is also about: who may not edit may not delete either. */
const wider: Partial<Record<ToolClass, readonly ToolClass[]>> = {
  Edit: ['Delete', 'Move'],
  Read: ['Search'],
};

/** Whether a rule about one class concerns another. A rule that allows concerns only its own. */
export function concerns(rule: ToolClass, used: ToolClass, isNarrow: boolean): boolean {
  return rule === used || (!isNarrow && (wider[rule]?.includes(used) ?? false));
}
