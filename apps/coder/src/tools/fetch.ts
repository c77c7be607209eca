import type { ToolReport } from '@turnwire/agent';
import { z } from 'zod';
import type { Admission } from './admission.ts';
import { isWeb } from '../web/is-web.ts';
import { defineTool } from './tool.ts';
import type { Tool } from './tool.ts';
import { allowsPrivate, shownAddress, type Visit } from './visit.ts';
import { ToolError } from '../tool-error.ts';

const input = () =>
  z.strictObject({
    url: z.string().min(1).max(8_192).describe('http:// or https://'),
    offset: z.int().min(0).optional().describe('Characters to skip, to continue in a long document'),
  });

/** Reads a document of the web. */
export const fetchTool: Tool = defineTool({
  name: 'fetch',
  kind: 'fetch',
  description:
    'Read a document of the web: HTML as Markdown, text and JSON as they are, images as images. A redirect to another host is reported, not followed.',
  effect: 'reaches',
  input,
  async prepare({ url: address, offset = 0 }, context) {
    const url = webAddress(address);
    // The modules for web access are large, and most sessions do not use them.
    const { looksPrivate } = await import('../web/addresses.ts');
    const visit: Visit = { url, offset, context, admitted: new Set() };
    const asksAnyway = looksPrivate(url.hostname) && !allowsPrivate(context);
    const shown = shownAddress(url);
    return {
      title: asksAnyway ? `Fetch ${shown} (private: ${url.host} is on this machine or its network)` : `Fetch ${shown}`,
      facts: { url: url.href },
      ...(asksAnyway && { ask: (report: ToolReport) => askForHost(visit, report) }),
      run: async (report) => (await import('./visit-page.ts')).visitPage(visit, report),
    };
  },
});

function webAddress(address: string): URL {
  const text = address.trim();
  if (!URL.canParse(text)) throw new ToolError(`${text} is not an address. Give the full address, with https://.`);
  const url = new URL(text);
  if (!isWeb(url)) throw new ToolError(`Only http and https can be fetched, not ${url.protocol}.`);
  if (url.username !== '' || url.password !== '')
    throw new ToolError('An address with a user name or a password in it is not fetched.');
  return url;
}

async function askForHost({ url, context, admitted }: Visit, report: ToolReport): Promise<Admission> {
  const { outcome } = await context.turn.askPermission(report);
  if (outcome === 'cancelled') return { outcome: 'dismissed' };
  if (outcome === 'rejected') return { outcome: 'refused', reason: 'Permission was refused; nothing was fetched.' };
  admitted.add(url.hostname);
  return { outcome };
}
