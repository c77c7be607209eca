import { configSchema } from '../config/config-shape.ts';
import { mcpSchema } from '../config/mcp-schema.ts';
import { exitCodes } from '../exit-codes.ts';
import { rulesSchema } from '../permission/rules-schema.ts';
import { stdout } from '../terminal/output.ts';
import { coderSchema } from './coder.ts';

/** The configuration files with a schema. */
export type SchemaName = 'config' | 'permissions' | 'mcp' | 'coder' | 'coder-project';

/** Prints the JSON Schema of a file. Resolves with the exit code. */
export async function printSchema(name: SchemaName): Promise<number> {
  stdout.printLine(JSON.stringify(await schemaOf(name), undefined, 2));
  return exitCodes.ok;
}

async function schemaOf(name: SchemaName): Promise<object> {
  if (name === 'config') return configSchema();
  if (name === 'permissions') return rulesSchema;
  if (name === 'mcp') return mcpSchema;
  return coderSchema(name === 'coder' ? 'user' : 'project');
}
