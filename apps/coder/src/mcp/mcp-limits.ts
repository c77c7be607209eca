/** How long MCP servers may take and how much of what they offer is used. Times are milliseconds. */
export interface McpLimits {
  /** After so long a prompt waits no more for a server that still connects, and the user is told. Default 10,000. */
  readonly connectBudget: number;
  /** After so long a server that still connects is given up: the first start of one may install it. Default 60,000. */
  readonly connectLimit: number;
  /** The longest a prompt waits for servers that connect. Default 5,000. */
  readonly promptWait: number;
  /** How long a tool, prompt or resource may take without showing progress. Time a user takes to answer does not count. Default 120,000. */
  readonly callLimit: number;
  /** How long a call may take in all, whatever progress it shows. Default 1,800,000. */
  readonly wholeCallLimit: number;
  /** Before a server that ended is connected again: so long after it failed once, doubled for each time more. Default 1,000. */
  readonly reconnectPause: number;
  /** Tools offered to the model at once. It can look for the others and call them. Default 128. */
  readonly offeredTools: number;
}

export const defaultMcpLimits: McpLimits = {
  connectBudget: 10_000,
  connectLimit: 60_000,
  promptWait: 5_000,
  callLimit: 120_000,
  wholeCallLimit: 1_800_000,
  reconnectPause: 1_000,
  offeredTools: 128,
};
