/** Printed after the help of `check`. */
export const checkHelp = `
The agent is started afresh for each scenario, in this folder (--cwd) and with your environment. Sessions work in empty
scratch folders, which are deleted afterwards. What is asked of the agent can cost money if a model answers.

Every requirement ends up passed, failed, not exercised or not observable. Silence is never a pass, and an agent that
lacks something optional, needs a login or cannot be made to do a thing has not failed by it. MUST and MUST NOT count;
what is broken below --level is advice.

--timeout is how many seconds each answer may take (10). --trace DIR keeps every connection in a file of its own.
--verbose shows all that speaks against the agent instead of some. --format quiet prints the conclusion only. A prompt in
the file of --prompts is a text with {names} to fill in, or null for what the agent cannot be made to do;
"turnwire check --list" shows those that are used.

Exit codes: 0 nothing that counts is broken, 1 something is, or the agent could not be judged, or a report not be
written, 2 wrong command line or no such program, 130 interrupted: what was found until then is printed.

Examples:
  turnwire check -- node my-agent.js                 everything, as a table
  turnwire check --html report.html -- npx my-agent  and a page to attach to an issue
  turnwire check --only 'initialize/*,R036' -- my-agent --acp
  turnwire check --level should --junit junit.xml -- my-agent
  turnwire check coder                               an agent by its name
  turnwire check --client -- my-client --agent {agent} --prompt {prompt}
  turnwire check --client --driver acpx -- npx acpx  a client that a driver knows
  turnwire check --fuzz 60s -- my-agent              random calls and broken lines
  turnwire check --matrix agents.json --html matrix.html
`;
