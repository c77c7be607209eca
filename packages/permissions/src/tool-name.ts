/** The classes of tools in rules. */
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
  // The kinds of the protocol.
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

/** The class of a rule's name or of a kind of the protocol; undefined if it is the name of a tool. */
export function toolClass(name: string): ToolClass | undefined {
  return Object.hasOwn(classes, name) ? classes[name] : undefined;
}

/** The class of a name, ignoring case, for rules that deny or ask. */
export function classMeant(name: string): ToolClass | undefined {
  const found = Object.keys(classes).find((each) => each.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : classes[found];
}

/** Further classes that rules which deny or ask cover: a rule against editing also forbids deleting. */
const wider: Partial<Record<ToolClass, readonly ToolClass[]>> = {
  Edit: ['Delete', 'Move'],
  Read: ['Search'],
};

/** Whether a rule about one class applies to another. A rule that allows applies only to its own. */
export function concerns(rule: ToolClass, used: ToolClass, isNarrow: boolean): boolean {
  return rule === used || (!isNarrow && (wider[rule]?.includes(used) ?? false));
}

/** Names of shell tools, in lower case. */
const shellNames: ReadonlySet<string> = new Set([
  ...['bash', 'shell', 'execute', 'execute_bash', 'execute_command', 'exec_command', 'local_shell', 'run_command'],
  ...[
    'run_commands',
    'run_in_terminal',
    'run_shell_command',
    'run_terminal_cmd',
    'run_terminal_command',
    'shell_command',
  ],
]);

/** Whether a tool of this name is a shell, if the agent sends no kind. */
export function isShellTool(name: string): boolean {
  return shellNames.has(name.toLowerCase());
}

/** Whether a tool belongs to an MCP server: `server__tool`. Only the server knows what it does. */
export function isServerTool(name: string | null | undefined): boolean {
  return typeof name === 'string' && (name.includes('__') || /^mcp[.:/_-]/i.test(name));
}
