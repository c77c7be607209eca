import { expect, test } from 'vitest';
import { differences } from '../../schema/differences.ts';
import { methods } from '../../src/methods.ts';
import { officialDefinitions, officialOutline } from './official-outline.ts';
import { type Difference, differencesBetween } from './outline.ts';
import { ownOutline } from './own-outline.ts';

test('our schema differs from the official one exactly where the table of differences says so', () => {
  const stated = differences.flatMap(({ places }) =>
    Object.entries(places).map(([at, [official, ours]]): Difference => ({ at, official, ours })),
  );
  expect(differencesBetween(officialOutline(), ownOutline())).toEqual(
    stated.toSorted((one, other) => (one.at < other.at ? -1 : 1)),
  );
});

test('the comparison sees names, properties, rules, bounds, members and openness', () => {
  const outline = officialOutline();
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

test('the method table names the official parameters, results and sides', () => {
  const official = Object.entries(officialDefinitions).flatMap(([name, node]) => {
    const { 'x-side': side, 'x-method': method } = node;
    return method === undefined ? [] : [`${method} ${side === 'protocol' ? 'both' : side} ${name}`];
  });
  const ours = Object.entries(methods).flatMap(([method, row]) => [
    `${method} ${row.side} ${row.params}`,
    ...('result' in row ? [`${method} ${row.side} ${row.result}`] : []),
  ]);
  expect(ours.toSorted()).toEqual(official.toSorted());
});
