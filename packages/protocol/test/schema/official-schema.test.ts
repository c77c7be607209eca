import { expect, test } from 'vitest';
import { officialDefinitions } from '../../schema/official-schema.ts';
import { definitions } from '../../schema/definitions.ts';
import { differences } from '../../schema/differences.ts';
import { unstableDefinitions } from '../../schema/unstable.ts';
import { unstableMethods } from '../../src/unstable/methods.ts';
import { methods } from '../../src/methods.ts';
import { officialOutline } from './official-outline.ts';
import { type Difference, differencesBetween } from './outline.ts';
import { ownOutline } from './own-outline.ts';

const editions = [
  ['stable', 'schema', definitions],
  ['unstable', 'schema.unstable', { ...definitions, ...unstableDefinitions }],
] as const;

test.each(editions)(
  'our %s schema differs from the official one exactly where the table of differences says so',
  (...edition) => {
    const [, file, ours] = edition;
    const stated = differences.flatMap(({ places }) =>
      Object.entries(places).map(([at, [official, ours]]): Difference => ({ at, official, ours })),
    );
    expect(differencesBetween(officialOutline(officialDefinitions(file)), ownOutline(ours))).toEqual(
      stated.toSorted((one, other) => (one.at < other.at ? -1 : 1)),
    );
  },
);

test('the comparison sees names, properties, rules, bounds, members and openness', () => {
  const outline = officialOutline(officialDefinitions('schema'));
  const places = [
    'InitializeResponse.authMethods',
    'ProtocolVersion',
    'CreateTerminalRequest.outputByteLimit',
    'NewSessionRequest.mcpServers',
    'NoticeSeverity=*',
    'PlanEntryStatus=pending',
    'SessionUpdate',
    'SessionUpdate=tool_call',
    'McpServer=(none)',
    'CreateElicitationRequest=*',
    'SetSessionConfigOptionRequest&',
    'AgentCapabilities.mcpCapabilities',
    'ErrorCode=-32800',
  ];
  expect(Object.fromEntries(places.map((place) => [place, outline.get(place)]))).toEqual({
    'InitializeResponse.authMethods': 'optional list of AuthMethod [ES] = []',
    ProtocolVersion: 'uint16 from 0 to 65535',
    'CreateTerminalRequest.outputByteLimit': 'optional uint64 from 0 or null',
    'NewSessionRequest.mcpServers': 'required list of McpServer [N]',
    'NoticeSeverity=*': 'string',
    'PlanEntryStatus=pending': 'known',
    SessionUpdate: 'tagged by sessionUpdate',
    'SessionUpdate=tool_call': 'ToolCall',
    'McpServer=(none)': 'McpServerStdio',
    'CreateElicitationRequest=*': 'ElicitationSessionScope | ElicitationRequestScope',
    'SetSessionConfigOptionRequest&':
      '{type: required "boolean"; value: required boolean} | {value: required SessionConfigValueId}',
    'AgentCapabilities.mcpCapabilities': 'optional McpCapabilities [E] = {"http":false,"sse":false}',
    'ErrorCode=-32800': 'known',
  });
});

test.each([
  ['stable', 'schema', methods],
  ['unstable', 'schema.unstable', unstableMethods],
] as const)('the %s method table names the official parameters, results and sides', (_edition, file, table) => {
  const official = Object.entries(officialDefinitions(file)).flatMap(([name, node]) => {
    const { 'x-side': side, 'x-method': method } = node;
    // The one method that is also a notification the other way: see src/unstable/methods.ts.
    if (method === undefined || name === 'MessageMcpNotification') return [];
    return [`${method} ${side === 'protocol' ? 'both' : side} ${name}`];
  });
  const ours = Object.entries(table).flatMap(([method, row]) => [
    `${method} ${row.side} ${row.params}`,
    ...('result' in row ? [`${method} ${row.side} ${row.result}`] : []),
  ]);
  expect(ours.toSorted()).toEqual(official.toSorted());
});
