/** Printed after the help of `agents`. */
export const agentsHelp = `
An agent has a name when it comes along (coder), is well known (claude, codex, gemini …), or is in a file of
configuration: yours, or that of the project. Of one name yours wins over the known one, and both over the project's:
what comes with a project must not change what a name starts.

Agents of the public registry are added with the exact version it has at that moment, so that what is fetched later is
the same. TURNWIRE_REGISTRY, or "registry" in your configuration, names another registry.

Examples:
  turnwire agents                                    what there is
  turnwire agents show codex                         how it is started, and what is known of it
  turnwire agents add mine -- my-agent --acp         from now on: turnwire mine …
  turnwire agents add ours --project -- npx our-agent@1.2.3
  turnwire agents list --registry
  turnwire agents add --from-registry goose
  turnwire agents accept ours                        agree to one that a project came with
  turnwire agents remove mine
`;

/** Printed after the help of `doctor`. */
export const doctorHelp = `
The agent is started and taken through everything it has to do, layer by layer: command, launch, noise on its stdout,
initialize, login, session, MCP servers (--mcp-config), a turn (--prompt), exit. Each is ✓ fine, ! worth a look,
✗ failed, or – not reached, with what to do about it. --timeout is how many seconds each answer may take. A login
that is wanted is no failure. --format json prints a finding a line; --format quiet the layer that failed first, or ok.

Exit codes: 0 nothing failed, 1 something did, 2 wrong command line, 130 interrupted.

Examples:
  turnwire doctor                                    the agent you get when you name none, and which others there are
  turnwire doctor claude --prompt "say hello"        a known one, with a turn
  turnwire doctor --agent "my-agent --acp"           any command
  turnwire doctor mine --mcp-config .mcp.json        and whether its MCP servers are to blame
`;

/** Printed after the help of `trace`. */
export const traceHelp = `
A trace is a file of every message between a client and an agent, without secrets. --trace FILE of exec, prompt and chat
writes one; "record" writes one of any client and agent: give it to the client as the command of its agent.

Exit codes: 0 done, nothing is wrong, no difference; 1 something is; 2 wrong command line, or no trace where one is
judged. "record" ends as its agent does.

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
