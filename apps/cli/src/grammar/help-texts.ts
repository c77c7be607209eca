/** Printed after the help of the program. */
export const examples = `
Examples:
  turnwire                                      chat with the built-in agent in this folder
  turnwire "search for TODO"                    one turn, the answer on stdout
  turnwire --continue                           chat on with the last session of this folder
  turnwire exec --resume 3f2a "now fix it"      a turn of an earlier session
  turnwire exec --approve-all -f task.md        a turn that may change files
  turnwire --agent "other-agent --acp" chat     drive another agent
  turnwire sessions ensure                      a stored session: created unless there is one
  turnwire "now fix the first of them"          the next turn of the session of this folder
  turnwire -s review prompt "look at src/"      a turn of the session named review
`;

/** The table of exit codes, for help pages. */
export const exitCodeHelp = `
Exit codes: 0 the agent finished, 1 error, 2 wrong command line, 3 timeout, 4 no such session, 5 permission denied,
6 cost limit exceeded, 8 no language model, 9 refused, 10 token limit reached, 11 limit of model calls
reached, 130 interrupted.
`;

/** Printed after the help of `exec`. */
export const execHelp: string = `
Without --approve-all or --deny-all you are asked, if there is a terminal to ask on; without one, reading and
searching are allowed and everything else is refused.
${exitCodeHelp}
Examples:
  turnwire exec "list files then search for TODO"
  git diff | turnwire exec -f - "review this"
  turnwire exec --format json "read notes.txt" | jq .method
`;

/** Printed after the help of `prompt`. */
export const promptHelp: string = `
A session belongs to a folder, an agent, and a name if it has one. It is looked up in this folder and its parents, up
to the root of the repository. Only "sessions new" and "sessions ensure" create one. Its agent keeps running
between turns (--ttl), and concurrent prompts are queued. Without the word "prompt", text is a turn of it, or of a
new session where there is none.

Ctrl-C stops the turn and waits for it. When this command is killed, the turn continues.
${exitCodeHelp}
Examples:
  turnwire sessions ensure && turnwire prompt "run the tests"
  turnwire "and now fix them"
  turnwire -s docs prompt --no-wait "write the changelog"
`;

/** Printed after the help of `sessions`. */
export const sessionsHelp = `
Examples:
  turnwire sessions new --name api              create a session named api
  turnwire sessions ensure                      the session of this folder, created unless there is one
  turnwire sessions list --local                the sessions stored here
  turnwire sessions history api --limit 5       its last entries
  turnwire sessions fork api --name other       a copy, to go on in another direction
  turnwire sessions close api                   end it
  turnwire sessions prune --older-than 30       delete what was closed a month ago
`;

/** Printed after the help of `permissions`. */
export const permissionsHelp = `
Rules that deny come first, then rules that ask, then rules that allow. Allow rules in the file of a
project apply only after you have accepted them. Rules you add yourself are accepted.

Exit codes: 0 done, 1 there is no such rule, or a file cannot be read or written, 2 wrong command line.

Examples:
  turnwire permissions list --format json
  turnwire permissions test git push            what would be decided, by which rule, and why
  turnwire permissions test "Read(.env)"
  turnwire permissions import --dry-run         the rules in .claude/settings.json
  turnwire permissions add allow "Bash(git *)"
  turnwire permissions add deny "Read(.env)" --user
  turnwire permissions remove allow "Bash(git *)"
  turnwire permissions list --project
  turnwire permissions accept
`;

/** Printed after the help of `completion`. */
export const completionHelp = `
Write it to a file that your shell reads:
  bash   turnwire completion bash > ~/.local/share/bash-completion/completions/turnwire
  zsh    turnwire completion zsh > "\${fpath[1]}/_turnwire"
  fish   turnwire completion fish > ~/.config/fish/completions/turnwire.fish
`;

/** Printed after the help of `schema`. */
export const schemaHelp = `
Write it beside the file, and name it there: {"$schema": "./permissions.schema.json", "deny": ["Read(.env)"]}

Examples:
  turnwire schema permissions > .turnwire/permissions.schema.json
  turnwire schema config > ~/.config/turnwire/config.schema.json
  turnwire schema mcp > mcp.schema.json          for .mcp.json, and whatever --mcp-config names
  turnwire schema coder > ~/.config/turnwire/coder.schema.json
`;

/** Printed after the help of `connect`. */
export const connectHelp = `
Every message is passed on as it is, both ways. Wherever this program takes the command of an agent, it takes such a
URL as well, with the options of connect behind it. A connection that breaks is made again: what was pending is
answered with an error, and the sessions are resumed or loaded. TURNWIRE_TOKEN is sent as "Authorization: Bearer …".

Exit codes: 0 one side ended the connection, 1 the connection failed, and stderr says why, 2 wrong command line.

Examples:
  turnwire connect wss://box.example/acp
  turnwire --agent wss://box.example/acp exec "run the tests"
  turnwire --agent "wss://box.example/acp --header-file box.headers" chat
  turnwire agents add box -- wss://box.example/acp --header-file /home/me/box.headers
  turnwire doctor --agent http://127.0.0.1:8080/acp
`;

/** Printed after the help of `coder`. */
export const coderHelp = `
The model is set by --model, else by TURNWIRE_CODER_MODEL, else by coder.json in your configuration, else by the
available keys. Keys come from the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY,
OPENROUTER_API_KEY …), then from "coder login". Without a key, the offline model follows plain instructions.

Examples:
  turnwire coder login anthropic                store a key, once
  turnwire coder models                         list the available models
  turnwire coder --model ollama/qwen3-coder     serve an editor with a local model
`;

/** Printed after the help of `coder login`. */
export const loginHelp = `
The key is read from this terminal without echo, and checked at the provider. It is stored in
$XDG_DATA_HOME/turnwire/coder/keys.json (~/.local/share/…), which only you can read.

Exit codes: 0 stored, 1 not, 2 wrong command line, 130 interrupted.

Examples:
  turnwire coder login
  turnwire coder login openai
  pass show openai | turnwire coder login openai --key-stdin
`;

/** Printed after the help of `proxy`. */
export const proxyHelp = `
An editor starts this in the place of the agent. Rules of yours and of the project decide first what the agent may do (see
"turnwire permissions"); the editor is asked about the rest. Sessions are kept here, whatever the agent can, so the editor can
list and load them. Files and terminals are the editor's where it offers them.

Examples:
  turnwire proxy -- claude-agent-acp            the command for the editor's settings
  turnwire claude proxy                         the same, by name
  turnwire --deny-all proxy -- other-agent --acp
`;

/** Printed after the help of `serve`. */
export const serveHelp = `
Several clients may have one session: each sees what the others prompt and what was answered, and a turn goes on when its
client vanishes. Rules of yours and of the project decide first what an agent may do (see "turnwire permissions"); clients
are asked about the rest. Sessions are stored before they are shown, and go on after a crash. SIGTERM lets running turns end.

Clients need a token, here too: one of this run is printed, others come from "serve tokens create". To be reached from other
machines a server needs --listen, --host-name, --tls-cert and --tls-key. With several agents each is at /agents/NAME/acp.

Examples:
  turnwire serve                                the agent of this folder, at a free port of this machine
  turnwire serve --agent claude --agent codex --root ~/work
  turnwire serve --json                         for a script: {"url":…,"acp":…,"token":…,"pid":…,"web":…}
  turnwire serve --listen unix:/run/user/1000/turnwire/agent.sock
`;

/** Printed after the help of `web`. */
export const webHelp = `
The address that is printed logs a browser in once, within a minute. The page exchanges it for a token of its own, for pages of
this address alone, and stays logged in for 30 days, or until you log out or its token is revoked.

Examples:
  turnwire web                                  the page of this folder
  turnwire claude web                           with another agent
  turnwire web --no-open                        over ssh: forward the port, and open the address yourself
`;

/** Printed after the help of `serve tokens`. */
export const tokensHelp = `
A token of scope observe only watches; one of control prompts, answers and changes; one of admin also reads /metrics and may
name MCP servers. A token is shown once, and stored as a hash.

Examples:
  turnwire serve tokens create --label phone --days 30
  turnwire serve tokens revoke 0b5c…
`;
