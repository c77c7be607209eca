import { expect, test } from 'vitest';
import { bothPackages, type Sdk, withoutReports } from './both-packages.ts';
import { agentScenarios } from './bytes/agent-scenarios.ts';
import { clientScenarios } from './bytes/client-scenarios.ts';
import { runAgent, runClient } from './bytes/run-scenario.ts';

async function rows(names: readonly string[], run: (sdk: Sdk, name: string) => Promise<string>): Promise<string> {
  const lines: string[] = [];
  for (const name of names) {
    const [theirs, ours] = [await run(bothPackages[0]?.[1] as Sdk, name), await run(bothPackages[1]?.[1] as Sdk, name)];
    lines.push(`| ${name} | ${theirs} | ${theirs === ours ? 'the same' : ours} |`);
  }
  return lines.join('\n');
}

test('the table of byte-level scenarios shows what programs on both packages do, and ours survive all of them', async () => {
  const agents = Object.keys(agentScenarios);
  const clients = Object.keys(clientScenarios);
  let table = '';
  await withoutReports(async () => {
    table = `# What programs do with unusual bytes

The same programs run on the official package 2.4 and on this one. A test writes this page (\`npm test -- packages/sdk-compat/test/bytes -u\`). It
covers ${agents.length + clients.length} scenarios. Messages have a limit of 1 MB.

## Agents

Each agent was initialized, receives the bytes, and then a valid request.

| bytes | official package | this package |
|---|---|---|
${await rows(agents, runAgent)}

## Clients

Each client waits for the answer to \`session/new\`, and then for a second answer.

| bytes | official package | this package |
|---|---|---|
${await rows(clients, runClient)}
`;
  });
  const ours = table.split('\n').map((line) => line.split(' | ').at(-1) ?? '');
  expect(ours.filter((cell) => cell.includes('the connection ends'))).toEqual([]);
  await expect(table).toMatchFileSnapshot('../byte-scenarios.md');
});
