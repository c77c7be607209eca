/** Time limits of MCP servers, and how many of their tools are offered. Times are milliseconds. */
export interface McpLimits {
  /** When a prompt stops waiting for a server that still connects, with a notice to the user. Default 10,000. */
  readonly connectBudget: number;
  /** When an attempt to connect fails: the first start of a server may install it. Default 60,000. */
  readonly connectLimit: number;
  /** The longest a prompt waits for servers that connect. Default 5,000. */
  readonly promptWait: number;
  /** How long a tool, prompt or resource may show no progress. Waiting for the user's answer does not count. Default 120,000. */
  readonly callLimit: number;
  /** How long a call may take in total, even with progress. Default 1,800,000. */
  readonly wholeCallLimit: number;
  /** The wait before a server that ended is reconnected after its first failure, doubled with each further one. Default 1,000. */
  readonly reconnectPause: number;
  /** Tools offered to the model at once. It can search for the others and call them. Default 128. */
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
