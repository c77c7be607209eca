/** Behind the help of the program. */
export const examples = `
Examples:
  agentwire                                      chat with the built-in agent in this folder
  agentwire exec "search for TODO"               one turn, the answer on stdout
  agentwire exec --approve-all -f task.md        a turn that may change files
  agentwire --agent "other-agent --acp" chat     drive another agent
  agentwire sessions ensure                      a session that lasts: begun unless there is one
  agentwire "now fix the first of them"          the next turn of the session of this folder
  agentwire -s review prompt "look at src/"      a turn of the session named review
`;

/** The table of exit codes, for help pages. */
export const exitCodeHelp = `
Exit codes: 0 the turn ended, 1 error, 2 wrong command line, 3 timeout, 4 no such session, 5 permission was asked
and never granted, 6 too expensive, 130 interrupted.
`;

/** Behind the help of `exec`. */
export const execHelp: string = `
Without --approve-all or --deny-all you are asked, if there is a terminal to ask on; without one, reading and
searching are allowed and everything else is refused.
${exitCodeHelp}
Examples:
  agentwire exec "list files then search for TODO"
  git diff | agentwire exec -f - "review this"
  agentwire exec --format json "read notes.txt" | jq .method
`;

/** Behind the help of `prompt`. */
export const promptHelp: string = `
A session belongs to a folder, an agent, and a name if it has one. It is looked for in this folder and those above
it, up to the root of the repository. Nothing begins one but "sessions new" and "sessions ensure". Its agent stays
alive between turns (--ttl), and prompts that come together wait for each other.

Ctrl-C stops the turn and waits for it. When this command is killed, the turn goes on.
${exitCodeHelp}
Examples:
  agentwire sessions ensure && agentwire prompt "run the tests"
  agentwire "and now fix them"
  agentwire -s docs prompt --no-wait "write the changelog"
`;

/** Behind the help of `sessions`. */
export const sessionsHelp = `
Examples:
  agentwire sessions new --name api              begin a session named api
  agentwire sessions ensure                      the session of this folder, begun unless there is one
  agentwire sessions list --local                what is kept here
  agentwire sessions history api --limit 5       the last things said in it
  agentwire sessions close api                   end it
  agentwire sessions prune --older-than 30       delete what was closed a month ago
`;

/** Behind the help of `permissions`. */
export const permissionsHelp = `
Rules that deny come first, then rules that ask, then rules that allow. What the file of a project
allows counts once you have accepted it, since it came with the project. What you add is accepted.

Exit codes: 0 done, 1 there is no such rule, or a file cannot be understood or written, 2 wrong command line.

Examples:
  agentwire permissions list --format json
  agentwire permissions add allow "Bash(git *)"
  agentwire permissions add deny "Read(.env)" --user
  agentwire permissions remove allow "Bash(git *)"
  agentwire permissions list --project
  agentwire permissions accept
`;

/** Behind the help of `completion`. */
export const completionHelp = `
Put it where your shell reads it:
  bash   agentwire completion bash > ~/.local/share/bash-completion/completions/agentwire
  zsh    agentwire completion zsh > "\${fpath[1]}/_agentwire"
  fish   agentwire completion fish > ~/.config/fish/completions/agentwire.fish
`;

/** Behind the help of `coder`. */
export const coderHelp = `
The model is chosen by --model, else by AGENTWIRE_CODER_MODEL, else by coder.json in your configuration, else by the
keys there are. Keys are looked for in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY,
OPENROUTER_API_KEY …), then where "coder login" stores them. Without any, the offline model follows plain instructions.

Examples:
  agentwire coder login anthropic                store a key, once
  agentwire coder models                         what there is to choose from
  agentwire coder --model ollama/qwen3-coder     serve an editor with a model of this machine
`;

/** Behind the help of `coder login`. */
export const loginHelp = `
The key is asked for in this terminal, unseen, and checked with the provider. It is stored in
$XDG_DATA_HOME/agentwire/coder/keys.json (~/.local/share/…), which only you can read.

Exit codes: 0 stored, 1 not, 2 wrong command line, 130 interrupted.

Examples:
  agentwire coder login
  agentwire coder login openai
  pass show openai | agentwire coder login openai --key-stdin
`;
