export { mcpServersFor, type McpServerChoice, type RefusedMcpServer } from './mcp-servers-for.ts';
export { McpConfigError, type McpConfigOptions, readMcpConfig } from '@turnwire/machine';
