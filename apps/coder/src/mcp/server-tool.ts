import type { ToolKind } from '@turnwire/protocol';
import { evidentFacts } from '../permission/evident-facts.ts';
import type { PreparedCall, Tool } from '../tools/tool.ts';
import type { ServerLink } from './server-link.ts';
import type { OfferedTool } from './server-offers.ts';
import { fieldsOf, previewOf, shortened, withProgress } from './server-request.ts';
import { toolResult } from './tool-result.ts';
import { toolSchema } from './tool-schema.ts';

const longestDescription = 8_000;

/** A tool of a server. */
export interface ServerTool {
  readonly link: ServerLink;
  readonly tool: OfferedTool;
}

/** A tool of a server, as models call it. The server's description is only a hint, so the tool never runs without permission. */
export function serverTool(name: string, { link, tool }: ServerTool): Tool {
  const title = tool.annotations?.title ?? tool.title ?? tool.name;
  return {
    name,
    kind: kindOf(tool),
    description: shortened(tool.description ?? title, longestDescription),
    inputSchema: toolSchema(tool.inputSchema),
    effect: tool.annotations?.readOnlyHint === true ? 'reaches' : 'changes',
    prepare: async (input, { signal, workspace }): Promise<PreparedCall> => {
      const values = fieldsOf(input, name);
      return {
        title: `${link.name}: ${shortened(title, 200)}`,
        preview: previewOf(values),
        facts: evidentFacts(values, workspace.cwd),
        run: async (report) =>
          toolResult(
            await withProgress({ report, signal }, (terms) =>
              link.use(terms, (connection, request) => connection.callTool(tool.name, values, request)),
            ),
          ),
      };
    },
  };
}

function kindOf({ annotations }: OfferedTool): ToolKind {
  if (annotations?.readOnlyHint !== true) return 'other';
  return annotations.openWorldHint === true ? 'fetch' : 'read';
}
