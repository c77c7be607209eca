const documentation = 'https://agentclientprotocol.com/protocol/v1';

/** Sources whose page has another name than they have. */
const renamed: Readonly<Record<string, string>> = {
  'version 2': 'https://agentclientprotocol.com/protocol/v2/overview',
  'proposal: custom llm endpoint': 'https://agentclientprotocol.com/rfds/custom-llm-endpoint',
  'JSON-RPC 2.0': 'https://www.jsonrpc.org/specification',
};

/** Sources that are no page of the official documentation, and what they are. */
export const otherSources: Readonly<Record<string, string>> = {
  derived: 'follows from the text or from JSON-RPC without being said',
  'session modes examples': 'examples on the page about session modes',
  practice: 'what agents and clients in use rely on',
  'sessions of several clients': 'an extension of Turnwire: see the page on serving agents to several clients',
  'summary of the protocol': 'an early summary of the protocol',
  'schema page': 'an early version of the schema page',
  'Go reference': 'a reference of the protocol for Go: see the page on dialects',
  'Pharo specification': 'a specification of the protocol for Pharo: see the page on dialects',
};

/** The address of a source of a requirement; undefined for those in {@link otherSources}. */
export function sourcePage(source: string): string | undefined {
  if (otherSources[source] !== undefined) return undefined;
  const [kind, name] = source.includes(': ') ? source.split(': ', 2) : ['', source];
  const page = (name ?? '').replaceAll(' ', '-');
  if (renamed[source] !== undefined) return renamed[source];
  if (kind === 'proposal') return `https://agentclientprotocol.com/rfds/${page}`;
  if (kind === 'draft') return `${documentation}/draft/${page}`;
  return `${documentation}/${page}`;
}
