import type { ContentBlock } from '@turnwire/protocol';
import { z } from 'zod';
import { ToolError } from '../tool-error.ts';
import { defineTool } from '../tools/tool.ts';
import type { PreparedCall, Tool } from '../tools/tool.ts';
import type { ServerLink } from './server-link.ts';
import { shortened, withProgress } from './server-request.ts';
import { readContents } from './result-blocks.ts';
import { toolResult } from './tool-result.ts';

const mostListed = 40;

const input = () =>
  z.strictObject({
    server: z.string().describe('The name of the MCP server'),
    uri: z.string().min(1).describe('The address of the resource'),
  });

/** The tool that reads resources of servers. Undefined: no server has any. */
export function readResourceTool(links: readonly ServerLink[]): Tool | undefined {
  const lines = links.flatMap(({ name, offers: { resources, templates } }) =>
    [...resources, ...templates].map(({ uri, name: title }) => shortened(`- ${name}: ${uri} ${title}`.trimEnd(), 300)),
  );
  if (lines.length === 0) return undefined;
  const more = lines.length > mostListed ? `\n${lines.length - mostListed} more are not listed.` : '';
  return defineTool({
    name: 'read-resource',
    kind: 'read',
    description: `Read a resource of an MCP server. Gaps in braces are to be filled in. There are:\n${lines.slice(0, mostListed).join('\n')}${more}`,
    effect: 'reaches',
    input,
    prepare: async ({ server, uri }, { signal }): Promise<PreparedCall> => {
      const link = links.find(({ name }) => name === server);
      if (!link)
        throw new ToolError(
          `There is no MCP server ${server} with resources. There are: ${links.map(({ name }) => name).join(', ')}.`,
        );
      return {
        title: `${server}: read ${shortened(uri, 200)}`,
        // Rules match web addresses only; servers also use other schemes.
        facts: /^https?:/i.test(uri) ? { url: uri } : {},
        run: async (report) => {
          const contents = await withProgress({ report, signal }, (terms) =>
            link.use(terms, (connection, request) => connection.readResource(uri, request)),
          );
          return toolResult({ content: contents.map(asBlock), isError: false });
        },
      };
    },
  });
}

/** The contents of a resource as content blocks. */
function asBlock(value: unknown): ContentBlock | undefined {
  const contents = readContents(value);
  if (contents === undefined) return undefined;
  if ('blob' in contents && contents.mimeType?.startsWith('image/'))
    return { type: 'image', data: contents.blob, mimeType: contents.mimeType };
  return { type: 'resource', resource: contents };
}
