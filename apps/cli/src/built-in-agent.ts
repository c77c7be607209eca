/** The agent that comes with this program. */
export const builtInAgentName = 'coder';
