export { mcpServersFor, type McpServerChoice, type RefusedMcpServer } from './mcp-servers-for.ts';
export { type McpConfigOptions, readMcpConfig } from './read-mcp-config.ts';
export type { Variables } from './variables.ts';
