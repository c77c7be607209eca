/** What a client can be made to do from outside. */
export type ClientAction =
  /** Send `{prompt}` in a session of `{cwd}` that is new, and end. */
  | 'prompt'
  /** The same, and whatever the agent asks for is allowed. */
  | 'allow'
  /** The same, and whatever the agent asks for is refused. */
  | 'deny'
  /** The same, with permission left open: it is not answered until the turn is cancelled. */
  | 'leave open'
  /** Send `{prompt}` and then `{next}` in one session. */
  | 'prompt twice'
  /** Send `{prompt}` with the image in the file `{image}`; or what is in the file `{blocks}`: content blocks as the protocol has them. */
  | 'image'
  /** Send `{prompt}`, which mentions the file `{file}`, with what is in it. */
  | 'mention'
  /** Open the session `{session}` again. */
  | 'load'
  /** List the sessions of the agent. */
  | 'list'
  /** Begin a session and close it. */
  | 'close'
  /** Begin a session and delete it. */
  | 'delete'
  /** Begin a session and fork it. */
  | 'fork'
  /** Begin a session and switch to `{mode}`. */
  | 'mode'
  /** Begin a session and set `{option}` to `{value}`. */
  | 'option'
  /** Send `{prompt}`, and log in by `{method}` when the agent wants a login. */
  | 'login'
  /** The same at a terminal. */
  | 'terminal login'
  | 'logout'
  /** Send `{prompt}` in a session with the folder `{directory}` beside `{cwd}`. */
  | 'add directory'
  /** Open the session `{session}` again with the folder `{directory}` beside `{cwd}`. */
  | 'load with directory'
  /**
   * Send `{prompt}` in a session with the MCP servers of the file `{servers}`, `{"mcpServers": {…}}` as editors keep them; or of
   * `{serverList}`, `{"mcpServers": […]}` as the protocol has them.
   */
  | 'mcp servers'
  /** Send `{prompt}`, and answer questions with forms from the file `{answers}`: field names and values. */
  | 'answer'
  /** Send `{prompt}`, and decline every question. */
  | 'decline'
  /** Send `{prompt}`, and consent to the page `{url}` that the agent wants visited. */
  | 'consent';

/** How a thing is done: one command line after the other, as words that no shell reads, with `{names}` to be filled in. */
export interface ClientSteps {
  readonly steps: readonly (readonly string[])[];
  /** What is typed: goes to stdin of the last step, which is at its end then. */
  readonly input?: string;
  /** What is typed at a terminal: the last step is run in one. `{names}` are filled in. */
  readonly terminal?: readonly Keystrokes[];
}

/** What a user types, and when: once the terminal shows `after`, behind what was typed before. */
export interface Keystrokes {
  readonly after: string;
  /** Return is `\r`. */
  readonly type: string;
}

/** How a client is made to do things: plain data, so that it can be kept in a JSON file. */
export interface ClientDriver {
  /** What people know the client by. */
  readonly name: string;
  /** What is not here it cannot be made to do, and what would need that is not exercised. */
  readonly actions: { readonly [action in ClientAction]?: ClientSteps };
  /** How a turn is cancelled: by a signal to the client, or by steps while it runs. Default: `SIGINT`. */
  readonly cancel?: 'SIGINT' | 'SIGTERM' | ClientSteps;
  /** Variables for the client, besides its own home and those it needs to run at all. */
  readonly env?: Readonly<Record<string, string>>;
  /** Programs that the client starts by name as its agent: the launcher goes by these names in the folder `{bin}`. */
  readonly poses?: readonly string[];
}

/** A driver for any command with the placeholders `{agent}` and `{prompt}`: it sends a prompt, and nothing else. */
export function plainDriver(words: readonly string[]): ClientDriver {
  return { name: words.join(' '), actions: { prompt: { steps: [words] } } };
}

/** The words with every `{name}` filled in that there is a value for. */
export function filledIn(words: readonly string[], values: Readonly<Record<string, string>>): readonly string[] {
  return words.map((word) => word.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole));
}
