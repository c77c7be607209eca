/** Printed after the help of `check`. */
export const checkHelp = `
The agent is restarted for each scenario, in this folder (--cwd) and with your environment. Sessions use empty scratch
folders, which are deleted afterwards; those of an agent at a URL are in the folder that --cwd names. The prompts can cost money if a model answers them.

Every requirement is passed, failed, not exercised or not observable. Without evidence no requirement passes, and an
agent that lacks an optional feature, needs a login or does not follow a prompt has not failed. MUST and MUST NOT count;
violations below --level are advice. Proposals and documents of dialects are judged only with --profile, as advice.

--timeout is the time limit of each answer in seconds (10). --trace DIR writes every connection to a file of its own.
--verbose shows all evidence against the agent instead of some. --format quiet prints the conclusion only. A prompt in
the file of --prompts is a text with {names} to fill in, or null for an action the agent cannot do;
"turnwire check --list" shows the defaults.

Exit codes: 0 no requirement that counts is broken, 1 one is broken, the agent could not be judged, or a report could not
be written, 2 wrong command line or no such program, 130 interrupted: the findings so far are printed.

Examples:
  turnwire check -- node my-agent.js                 everything, as a table
  turnwire check --html report.html -- npx my-agent  with a page to attach to an issue
  turnwire check --only 'initialize/*,R036' -- my-agent --acp
  turnwire check --level should --junit junit.xml -- my-agent
  turnwire check coder                               an agent by its name
  turnwire check --client -- my-client --agent {agent} --prompt {prompt}
  turnwire check --client --driver acpx -- npx acpx  a client that a driver knows
  turnwire check --over http -- my-client --agent {agent} --prompt {prompt}
                                                     a client that reaches its agent by a URL
  turnwire check --fuzz 60s -- my-agent              random calls and broken lines
  turnwire check --matrix agents.json --html matrix.html
`;
