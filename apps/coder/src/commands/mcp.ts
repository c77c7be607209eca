import { describeProposal, describeServer } from '../mcp/known-server.ts';
import type { KnownServer } from '../mcp/known-server.ts';
import { logLines } from '../mcp/log-lines.ts';
import type { ServerLink } from '../mcp/server-link.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import { inlineCode } from './inline-code.ts';
import type { SlashCommand } from './slash-command.ts';

const mostListed = 200;

/** `/mcp`: shows the state of the MCP servers, and changes it. */
export const mcpCommand: SlashCommand = {
  name: 'mcp',
  description: 'Show the MCP servers and what they offer, or reconnect them',
  hint: '[tools | resources | log | reconnect | allow | deny] [NAME]',
  run: async (turn, argument) => {
    const { mcp } = turn.session.memory;
    const links = mcp?.links ?? [];
    const [verb = '', name = ''] = /^(\S+)\s*(.*)$/su.exec(argument)?.slice(1) ?? [];
    const action = verb === '' ? overview : Object.hasOwn(actions, verb) ? actions[verb] : undefined;
    if (action === undefined) return turn.say(`There is no ${inlineCode(`/mcp ${verb}`)}.\n\n${usage}`);
    await turn.say(await action(turn, name === '' ? links : links.filter((link) => link.name === name), name));
    return mcp?.showWarnings(turn);
  },
};

const usage = `- \`/mcp\` shows the servers
- \`/mcp tools NAME\` and \`/mcp resources NAME\` show what one server offers; without a name, all servers
- \`/mcp log NAME\` shows the end of its output
- \`/mcp reconnect NAME\` reconnects it
- \`/mcp allow NAME\` and \`/mcp deny NAME\` accept or refuse a server of this project`;

type Action = (turn: CoderTurn, links: readonly ServerLink[], name: string) => string | Promise<string>;

const actions: Readonly<Record<string, Action>> = {
  tools: (_turn, links, name) =>
    each(links, name, ({ offers: { tools } }) => tools.map(({ name, description }) => entry(name, description))),
  resources: (_turn, links, name) => each(links, name, resourceLines),
  log: (_turn, links, name) =>
    each(links, name, ({ log, cleaned }) => logLines(log).map((text) => `- ${inlineCode(cleaned(text))}`)),
  reconnect,
  allow: (turn, links, name) => decide(turn, links, { name, decision: 'allowed' }),
  deny: (turn, links, name) => decide(turn, links, { name, decision: 'refused' }),
};

function overview(_turn: CoderTurn, links: readonly ServerLink[]): string {
  const servers = links.length === 0 ? 'There are no MCP servers.' : links.map(line).join('\n');
  return `${servers}\n\n${usage}`;
}

async function reconnect(_turn: CoderTurn, links: readonly ServerLink[], name: string): Promise<string> {
  if (links.length === 0) return noServers(name);
  const wanted = links.filter(({ state }) => name !== '' || state.is === 'failed' || state.is === 'lost');
  const allowed = wanted.filter(({ state }) => state.is !== 'refused' && state.is !== 'unasked');
  if (allowed.length === 0)
    return wanted.length > 0
      ? `You have not allowed it: ${inlineCode(`/mcp allow ${name}`)}.`
      : 'All of them are connected.';
  await Promise.all(allowed.map((link) => link.reconnect()));
  return allowed.map(line).join('\n');
}

async function decide(
  turn: CoderTurn,
  links: readonly ServerLink[],
  { name, decision }: { readonly name: string; readonly decision: 'allowed' | 'refused' },
): Promise<string> {
  const [link] = links;
  if (name === '' || !link) return noServers(name);
  if (!link.known.proposal) return `${inlineCode(name)} is not a server of this project, so it needs no decision.`;
  const { mcp, permissions } = turn.session.memory;
  if (permissions.changesForbidden !== undefined) return `Nothing changed: ${permissions.changesForbidden}.`;
  await mcp?.decide(link, decision);
  return line(link);
}

function each(links: readonly ServerLink[], name: string, lines: (link: ServerLink) => readonly string[]): string {
  if (links.length === 0) return noServers(name);
  return links
    .map((link) => {
      const all = lines(link);
      const more = all.length > mostListed ? [`- ${all.length - mostListed} more`] : [];
      return [
        `**${inlineCode(link.name)}**`,
        '',
        ...(all.length === 0 ? ['nothing'] : all.slice(0, mostListed)),
        ...more,
      ].join('\n');
    })
    .join('\n\n');
}

function resourceLines({ offers: { resources, templates } }: ServerLink): readonly string[] {
  return [...resources, ...templates].map(({ uri, title, name, description }) =>
    entry(uri, title ?? (name || description)),
  );
}

function entry(name: string, description: string | undefined): string {
  const first = description?.trim().split('\n')[0]?.slice(0, 200) ?? '';
  return first === '' ? `- ${inlineCode(name)}` : `- ${inlineCode(name)}: ${first}`;
}

function noServers(name: string): string {
  return name === '' ? `There is no MCP server.\n\n${usage}` : `There is no MCP server ${inlineCode(name)}.`;
}

function line(link: ServerLink): string {
  const { known } = link;
  const what = known.proposal ? describeProposal(known.proposal).split('\n')[0] : describeServer(known.server);
  return `- **${inlineCode(link.name)}** (${origins[known.origin]}, ${inlineCode(link.cleaned(what ?? ''))}): ${stateText(link)}`;
}

const origins: Readonly<Record<KnownServer['origin'], string>> = {
  client: 'provided by the client',
  user: 'from your settings',
  project: 'of this project',
};

function stateText({ state, offers, name }: ServerLink): string {
  switch (state.is) {
    case 'unasked':
      return 'waits for your decision, which the next prompt asks for';
    case 'refused':
      return `refused by you; ${inlineCode(`/mcp allow ${name}`)} allows it`;
    case 'connecting':
      return 'connecting';
    case 'connected':
      return `connected, ${counts(offers)}`;
    case 'failed':
      return `not connected: ${state.reason.replaceAll(/\s+/g, ' ')}`;
    case 'lost':
      return `lost: ${state.reason.replaceAll(/\s+/g, ' ')} The next use reconnects it`;
    case 'closed':
      return 'closed';
  }
}

function counts({ tools, prompts, resources, templates }: ServerLink['offers']): string {
  const numbers = [
    [tools.length, 'tool'],
    [prompts.length, 'prompt'],
    [resources.length + templates.length, 'resource'],
  ] as const;
  return numbers.map(([count, what]) => `${count} ${what}${count === 1 ? '' : 's'}`).join(', ');
}
