/** Printed after the help of `agents`. */
export const agentsHelp = `
The named agents are the built-in one (coder), well-known ones (claude, codex, gemini …), and those in your configuration
file or the project's. If several have the same name, yours takes precedence over a known one, and both over the
project's, because a project must not change what a name starts.

A known agent that is not installed is downloaded with npx, in its tested version, after you agree: chat, exec and
"sessions new" ask first, "agents get" does not.

Agents of the public registry are pinned to their current version, so that later starts fetch the same package.
TURNWIRE_REGISTRY, or "registry" in your configuration, sets another registry.

Examples:
  turnwire agents                                    list the agents
  turnwire agents show codex                         show its command and other details
  turnwire agents get claude                         download one that is not installed
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
MCP servers (--mcp-config), a turn (--prompt), exit. Each layer is marked ✓ passed, ! warning, ✗ failed, or – not
reached, and failures come with advice. --timeout is the time limit of each answer in seconds. A required login is not a
failure. --format json prints one finding per line; --format quiet prints the first failed layer, or ok.

Exit codes: 0 nothing failed, 1 a layer failed, 2 wrong command line, 130 interrupted.

Examples:
  turnwire doctor                                    the default agent, and a list of the others
  turnwire doctor claude --prompt "say hello"        a well-known agent, including a turn
  turnwire doctor --agent "my-agent --acp"           any command
  turnwire doctor mine --mcp-config .mcp.json        including its MCP servers
`;

/** Printed after the help of `trace`. */
export const traceHelp = `
A trace is a file with every message between a client and an agent, without secrets. exec, prompt and chat write one with
--trace FILE. "record" writes one for any client: configure it in the client as the command of the agent.

Exit codes: 0 done, without a violation or a difference; 1 a violation or a difference; 2 wrong command line, or the file
is not a trace. "record" exits with the exit code of its agent.

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
