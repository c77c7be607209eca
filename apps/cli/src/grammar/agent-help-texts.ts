/** Printed after the help of `agents`. */
export const agentsHelp = `
The named agents are the built-in one (coder), well-known ones (claude, codex, gemini …), and those in a configuration
file: yours, or that of the project. If several have the same name, yours wins over the known one, and both over the
project's, since a project must not change what a name starts.

A known agent that is not installed is downloaded with npx, in the version that was tested, after you agree: chat, exec
and "sessions new" ask, "agents get" does not.

Agents of the public registry are pinned to their current version, so that later starts fetch the same package.
TURNWIRE_REGISTRY, or "registry" in your configuration, sets another registry.

Examples:
  turnwire agents                                    list the agents
  turnwire agents show codex                         how it is started, and what is known about it
  turnwire agents get claude                         get one that is not installed
  turnwire agents add mine -- my-agent --acp         then use it: turnwire mine …
  turnwire agents add ours --project -- npx our-agent@1.2.3
  turnwire agents list --registry
  turnwire agents add --from-registry goose
  turnwire agents accept ours                        agree to an agent of the project
  turnwire agents remove mine
`;

/** Printed after the help of `doctor`. */
export const doctorHelp = `
The agent is started and examined layer by layer: command, launch, noise on its stdout, initialize, login, session,
MCP servers (--mcp-config), a turn (--prompt), exit. Each layer is ✓ fine, ! a warning, ✗ failed, or – not reached,
with advice. --timeout is the time limit of each answer in seconds. A required login is not a failure. --format json
prints one finding per line; --format quiet the first failed layer, or ok.

Exit codes: 0 nothing failed, 1 something did, 2 wrong command line, 130 interrupted.

Examples:
  turnwire doctor                                    the default agent, and a list of the others
  turnwire doctor claude --prompt "say hello"        a well-known agent, with a turn
  turnwire doctor --agent "my-agent --acp"           any command
  turnwire doctor mine --mcp-config .mcp.json        with its MCP servers
`;

/** Printed after the help of `trace`. */
export const traceHelp = `
A trace is a file of every message between a client and an agent, without secrets. --trace FILE of exec, prompt and chat
writes one; "record" writes one for any client: configure it there as the command of the agent.

Exit codes: 0 done, no violation, no difference; 1 a violation or a difference; 2 wrong command line, or the file is not
a trace. "record" ends with the exit code of its agent.

Examples:
  turnwire exec --trace run.jsonl "list files"
  turnwire trace record --out run.jsonl -- other-agent --acp
  turnwire trace view run.jsonl --follow
  turnwire trace view run.jsonl --method session/prompt
  turnwire trace validate run.jsonl --of agent
  turnwire trace diff before.jsonl after.jsonl
  turnwire trace redact run.jsonl --secret "$MY_KEY" --out public.jsonl
  turnwire --agent "turnwire trace replay run.jsonl" exec "list files"
  turnwire trace replay run.jsonl --as client -- other-agent --acp
`;
