import { type UsageCells, usageCells, usageTotal } from '@turnwire/client/view';
import { localDay } from '@turnwire/machine';
import { sqliteStore, type UsageQuery } from '@turnwire/runtime';
import { localTenant } from '../store/named-session.ts';
import { sessionsDatabase } from '../store/sessions-database.ts';
import type { CommandActions } from './chat-actions.ts';

/** The prompt of `/init` for an agent without that command. */
const instructionsTask = `Write AGENTS.md at the top of the working directory: what a newcomer to this project has to know and cannot see at a glance. Look first: the documents, the manifests, the configuration of build, tests and lint, the folders and a few typical files. If there is an AGENTS.md, or instructions for other agents, keep what is right and repair the rest. It contains the commands to build, to check and to test, also a single test; where things are, and where each kind of change belongs; rules that no tool enforces; traps. Write what you have seen, and nothing you guess. At most 60 lines of Markdown.`;

/** Shows the use of the context, and tokens, time and cost of the session and of today. */
export async function showCost(chat: CommandActions): Promise<void> {
  const { agentSessionId: session, transcript } = chat.controller.conversation;
  const [own, today] = await usageOf([
    ...(session === undefined ? [] : [{ session, by: 'session' as const }]),
    { since: localDay(new Date()), by: 'day' },
  ]);
  const { used = 0, size = 0 } = transcript.usage ?? {};
  chat.say([
    ...(size === 0 ? [] : [`context     ${Math.round((used / size) * 100)} % of ${size.toLocaleString('en')} tokens`]),
    ...(own ? [`session     ${cellsText(own)}`] : []),
    ...(today ? [`today       ${cellsText(today)}, with all agents`] : []),
    'turnwire usage shows more.',
  ]);
}

function cellsText({ turns, time, tokens, cost }: UsageCells): string {
  return `${turns} ${turns === '1' ? 'turn' : 'turns'}, ${time}, tokens: ${tokens}, cost: ${cost}`;
}

async function usageOf(queries: readonly Omit<UsageQuery, 'tenant'>[]): Promise<readonly UsageCells[]> {
  const store = sqliteStore({ path: sessionsDatabase(), ownThread: false });
  try {
    const rows = await Promise.all(queries.map((query) => store.usage({ tenant: localTenant, ...query })));
    return rows.map((each) => usageCells(usageTotal(each)));
  } finally {
    await store.close();
  }
}

/** Asks an agent without such a command to write the project's instructions for agents. */
export function writeInstructions({ controller }: CommandActions, argument: string): void {
  const text = argument === '' ? instructionsTask : `${instructionsTask}\n\nPay attention to this: ${argument}`;
  controller.send(text, { hasMentions: false });
}

/** Names the alternative if the agent lacks the command. */
export function explainCompact(chat: CommandActions): void {
  chat.note('this agent has no /compact: it shortens its context itself, or /new starts with an empty one');
}
