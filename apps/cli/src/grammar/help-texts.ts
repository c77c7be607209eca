/** Printed after the help of the program. */
export const examples = `
Examples:
  turnwire                                      chat with the built-in agent in this folder
  turnwire "search for TODO"                    run one turn and print the answer
  turnwire --continue                           continue the last session of this folder
  turnwire exec --resume 3f2a "now fix it"      run a turn in an earlier session
  turnwire exec --approve-all -f task.md        run a turn that may change files
  turnwire --agent "other-agent --acp" chat     drive another agent
  turnwire sessions ensure                      create a stored session unless there is one
  turnwire "now fix the first of them"          run the next turn in the session of this folder
  turnwire -s review prompt "look at src/"      run a turn in the session named review
`;

/** The table of exit codes, for help pages. */
export const exitCodeHelp = `
Exit codes: 0 the agent finished, 1 error, 2 wrong command line, 3 timeout, 4 no such session, 5 permission denied,
6 cost limit exceeded, 8 no language model, 9 refused by the agent, 10 token limit reached, 11 limit of model calls
reached, 130 interrupted.
`;

/** Printed after the help of `exec`. */
export const execHelp: string = `
Without --approve-all or --deny-all, permission requests are asked on the terminal. If there is no terminal, reading and
searching are allowed and everything else is refused.
${exitCodeHelp}
Examples:
  turnwire exec "list files then search for TODO"
  git diff | turnwire exec -f - "review this"
  turnwire exec --format json "read notes.txt" | jq .method
  turnwire exec --format quiet --output-schema bugs.schema.json "list the bugs" | jq '.[0]'
`;

/** Printed after the help of `prompt`. */
export const promptHelp: string = `
A session belongs to a folder, an agent, and a name if it has one. It is looked up in this folder and its parents, up
to the root of the repository. Only "sessions new" and "sessions ensure" create one. Its agent keeps running
between turns (--ttl), and concurrent prompts are queued. Text without a command is a prompt for this
session, or for a new one if there is none.

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
  turnwire sessions ensure                      create the session of this folder unless there is one
  turnwire sessions list --local                list the sessions stored here
  turnwire sessions search flaky test           find sessions by their texts
  turnwire sessions history api --limit 5       print its last entries
  turnwire sessions fork api --name other       copy it, to continue in another direction
  turnwire sessions close api                   end it
  turnwire sessions prune --older-than 30       delete sessions closed at least 30 days ago
`;

/** Printed after the help of `permissions`. */
export const permissionsHelp = `
Deny rules are applied first, then ask rules, then allow rules. Allow rules in the file of a project apply only after
you have accepted them. Rules you add yourself are accepted.

Exit codes: 0 done, 1 no such rule, or a file cannot be read or written, 2 wrong command line.

Examples:
  turnwire permissions list --format json
  turnwire permissions test git push            is "git push" allowed, by which rule, and why?
  turnwire permissions test "Read(.env)"
  turnwire permissions import --dry-run         show the rules in .claude/settings.json
  turnwire permissions add allow "Bash(git *)"
  turnwire permissions add deny "Read(.env)" --user
  turnwire permissions add deny "Bash(npm *)" --message "Use pnpm."
  turnwire permissions remove allow "Bash(git *)"
  turnwire permissions list --project
  turnwire permissions accept
`;

/** Printed after the help of `completion`. */
export const completionHelp = `
Write the script to a file that your shell reads:
  bash   turnwire completion bash > ~/.local/share/bash-completion/completions/turnwire
  zsh    turnwire completion zsh > "\${fpath[1]}/_turnwire"
  fish   turnwire completion fish > ~/.config/fish/completions/turnwire.fish
`;

/** Printed after the help of `places`. */
export const placesHelp = `
With --place a new session works in a folder of its own: a worktree, a clone, or a copy with all files. Worktrees and
clones have the committed files, and the untracked files that .worktreeinclude names; --with-changes takes uncommitted
changes along. Each place has a branch, turnwire/NAME. A place is no boundary: its agent has your rights.

Exit codes: 0 done, 1 conflicts, or work would be lost, 2 wrong command line, 5 a set-up command you have not agreed to.

Examples:
  turnwire --place worktree chat                a chat in a new worktree
  turnwire --place clone:fix exec "fix it"      a turn in a new clone named fix
  turnwire sessions new --name api --place worktree
  turnwire places list
  turnwire places diff fix
  turnwire places merge fix -m "fix the parser"
  turnwire places prune
`;

/** Printed after the help of `review`. */
export const reviewHelp = `
The turns of chats and sessions are recorded: the state of the folder before and after each one, whichever program
changed a file. Files that .gitignore excludes are not. Names are relative to the root of the repository. Rejecting
takes a change back in the file; a file that has changed since is left as it is.

Exit codes: 0 done, 1 a file was left as it is, 2 wrong command line.

Examples:
  turnwire review
  turnwire review diff src/app.ts
  turnwire review accept src/app.ts:1 README.md
  turnwire review reject 5f3a09c2
  turnwire review reject --turn 7        undo a turn
  turnwire review commit -m "use the cache"
  turnwire review diff > work.patch
  turnwire review comment src/app.ts:42 "use the cache here"
  turnwire review send
`;

/** Printed after the help of `usage`. */
export const usageHelp = `
Every turn of chats, exec, sessions and servers on this machine is recorded, also after its session was deleted. A cost
that no agent reported is printed as unknown. Limits are in "budgets" of config.json.

Examples:
  turnwire usage
  turnwire usage --by model --since 7d
  turnwire usage --by folder --since 2026-04-01
  turnwire --format json usage --by session --since today
`;

/** Printed after the help of `compat`. */
export const compatHelp = `
@turnwire/sdk-compat has the names of @agentclientprotocol/sdk. Node installs it under that name by one line of
package.json, so that no source changes.

Exit codes: 0 every import is covered, 1 some are not, 2 wrong command line.

Examples:
  turnwire compat
  turnwire --format json compat ../my-editor
`;

/** Printed after the help of `schema`. */
export const schemaHelp = `
Write the schema next to the file, and refer to it there: {"$schema": "./permissions.schema.json", "deny": ["Read(.env)"]}

Examples:
  turnwire schema permissions > .turnwire/permissions.schema.json
  turnwire schema config > ~/.config/turnwire/config.schema.json
  turnwire schema mcp > mcp.schema.json          for .mcp.json and other files of --mcp-config
  turnwire schema coder > ~/.config/turnwire/coder.schema.json
`;

/** Printed after the help of `connect`. */
export const connectHelp = `
Every message is forwarded unchanged in both directions. A URL also works wherever turnwire takes the command of an
agent, followed by the options of connect. A broken connection is restored: pending requests are answered with an
error, and the sessions are resumed or loaded. TURNWIRE_TOKEN is sent as "Authorization: Bearer …".

Exit codes: 0 one side ended the connection, 1 the connection failed (stderr says why), 2 wrong command line.

Examples:
  turnwire connect wss://box.example/acp
  turnwire --agent wss://box.example/acp exec "run the tests"
  turnwire --agent "wss://box.example/acp --header-file box.headers" chat
  turnwire agents add box -- wss://box.example/acp --header-file /home/me/box.headers
  turnwire doctor --agent http://127.0.0.1:8080/acp
`;

/** Printed after the help of `coder`. */
export const coderHelp = `
The model is set by --model, TURNWIRE_CODER_MODEL, coder.json in your configuration, or the available keys, in this
order. Keys come from the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY,
OPENROUTER_API_KEY …), then from "coder login". Without a key, the offline model follows plain instructions.

Examples:
  turnwire coder login anthropic                store a key
  turnwire coder models                         list the available models
  turnwire coder --model ollama/qwen3-coder     serve an editor with a local model
`;

/** Printed after the help of `coder login`. */
export const loginHelp = `
The key is read from this terminal without echo and verified with the provider. It is stored in
$XDG_DATA_HOME/turnwire/coder/keys.json (~/.local/share/…), which only you can read.

Exit codes: 0 stored, 1 not stored, 2 wrong command line, 130 interrupted.

Examples:
  turnwire coder login
  turnwire coder login openai
  pass show openai | turnwire coder login openai --key-stdin
`;

/** Printed after the help of `proxy`. */
export const proxyHelp = `
An editor starts this command instead of the agent. Your rules and those of the project decide first what the agent may
do (see "turnwire permissions"); the editor is asked about the rest. Sessions are stored here, so the editor can list and
load them even if the agent cannot. The agent uses files and terminals of the editor if the editor offers them.

Examples:
  turnwire proxy -- claude-agent-acp            the command for the editor's settings
  turnwire claude proxy                         the same agent by its name
  turnwire --deny-all proxy -- other-agent --acp
`;

/** Printed after the help of `serve`. */
export const serveHelp = `
Several clients can share a session: each sees the prompts and answers of the others, and a turn continues when its
client disconnects. Your rules and those of the project decide first what an agent may do (see "turnwire permissions");
clients are asked about the rest. Sessions are stored before they are shown, and continue after a crash. On SIGTERM the
server finishes running turns.

Clients need a token, even on this machine: the server prints one for this run, and "serve tokens create" creates others.
To be reached from other machines a server needs --listen, --host-name, --tls-cert and --tls-key. With several agents,
each agent is at /agents/NAME/acp.

Examples:
  turnwire serve                                the agent of this folder, on a free port of this machine
  turnwire serve --agent claude --agent codex --root ~/work
  turnwire serve --json                         for a script: {"url":…,"acp":…,"token":…,"pid":…,"web":…}
  turnwire serve --listen unix:/run/user/1000/turnwire/agent.sock
`;

/** Printed after the help of `web`. */
export const webHelp = `
The printed address logs one browser in, within a minute. The page exchanges it for its own token, which is valid only
for pages of this address. The page stays logged in for 30 days, or until you log out or revoke its token.

Examples:
  turnwire web                                  the web client for this folder
  turnwire claude web                           the web client with another agent
  turnwire web --no-open                        over ssh: forward the port and open the address yourself
`;

/** Printed after the help of `serve tokens`. */
export const tokensHelp = `
The scope observe only watches sessions. The scope control also sends prompts, answers requests and changes settings. The
scope admin also reads /metrics and may name MCP servers. A token is shown once, and only its hash is stored.

Examples:
  turnwire serve tokens create --label phone --days 30
  turnwire serve tokens revoke 0b5c…
`;
