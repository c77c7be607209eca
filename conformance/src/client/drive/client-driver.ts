/** The actions that a driver can make a client perform. */
export type ClientAction =
  /** Send `{prompt}` in a new session of `{cwd}`, and exit. */
  | 'prompt'
  /** The same, and allow everything that the agent asks for. */
  | 'allow'
  /** The same, and refuse everything that the agent asks for. */
  | 'deny'
  /** The same, without an answer to permission requests until the turn is cancelled. */
  | 'leave open'
  /** Version 2: send `{prompt}`, and cancel each tool call that offers it, or each terminal. */
  | 'cancel call'
  | 'cancel terminal'
  /** Send `{prompt}` and then `{next}` in one session. */
  | 'prompt twice'
  /** Send `{prompt}` with the image in the file `{image}`; or the content blocks in the file `{blocks}`, as the protocol spells them. */
  | 'image'
  /** Send `{prompt}`, which mentions the file `{file}`, with the content of that file. */
  | 'mention'
  /** Restore the session `{session}`. */
  | 'load'
  /** List the sessions of the agent. */
  | 'list'
  /** Create a session and close it. */
  | 'close'
  /** Create a session and delete it. */
  | 'delete'
  /** Create a session and fork it. */
  | 'fork'
  /** Create a session and switch to `{mode}`. */
  | 'mode'
  /** Create a session and set `{option}` to `{value}`. */
  | 'option'
  /** Send `{prompt}`, and log in with `{method}` when the agent requires a login. */
  | 'login'
  /** The same in a terminal. */
  | 'terminal login'
  | 'logout'
  /** Send `{prompt}` in a session with the directory `{directory}` in addition to `{cwd}`. */
  | 'add directory'
  /** Restore the session `{session}` with the directory `{directory}` in addition to `{cwd}`. */
  | 'load with directory'
  /**
   * Send `{prompt}` in a session with the MCP servers in the file `{servers}`: `{"mcpServers": {…}}` as editors store them; or in
   * `{serverList}`: `{"mcpServers": […]}` as the protocol spells them.
   */
  | 'mcp servers'
  /** Send `{prompt}`, and answer questions with the field values in the file `{answers}`. */
  | 'answer'
  /** Send `{prompt}`, and decline every question. */
  | 'decline'
  /** Send `{prompt}`, and consent when the agent asks to open the page `{url}`. */
  | 'consent';

/** How to perform an action: command lines to run one after the other, without a shell, with `{names}` to fill in. */
export interface ClientSteps {
  readonly steps: readonly (readonly string[])[];
  /** Input for the stdin of the last step, which is closed afterwards. */
  readonly input?: string;
  /** Keystrokes for the last step, which then runs in a terminal. `{names}` are filled in. */
  readonly terminal?: readonly Keystrokes[];
}

/** The keystrokes of a user. They begin once the terminal shows `after`, following the previous keystrokes. */
export interface Keystrokes {
  readonly after: string;
  /** Return is `\r`. */
  readonly type: string;
}

/** How to control a client: plain data, which can be stored in a JSON file. */
export interface ClientDriver {
  /** The well-known name of the client. */
  readonly name: string;
  /** The supported actions. Scenarios that need another one are not exercised. */
  readonly actions: { readonly [action in ClientAction]?: ClientSteps };
  /** How to cancel a turn: a signal to the client, or steps to run during the turn. Default: `SIGINT`. */
  readonly cancel?: 'SIGINT' | 'SIGTERM' | ClientSteps;
  /** Environment variables for the client, in addition to its own home and those it needs to run at all. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names under which the client looks up its agent: the launcher is available under these names in the folder `{bin}`. */
  readonly agentNames?: readonly string[];
}

/** A driver for any command with the placeholders `{agent}` and `{prompt}`. It can only send a prompt. */
export function plainDriver(argv: readonly string[]): ClientDriver {
  return { name: argv.join(' '), actions: { prompt: { steps: [argv] } } };
}

/** Fills in every `{name}` that has a value. */
export function filledIn(argv: readonly string[], values: Readonly<Record<string, string>>): readonly string[] {
  return argv.map((arg) => arg.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole));
}
