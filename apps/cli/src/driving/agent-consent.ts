import { KeptConsents } from '@turnwire/machine';
import { type AgentProposal, describeAgent } from '../config/agent-proposal.ts';
import type { ConfiguredAgent } from '../config/config.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { visibleText } from '../terminal/clean-text.ts';
import { TypedLines } from '../terminal/lines.ts';
import { stderr } from '../terminal/output.ts';

/**
 * Asks the user for consent to start an agent of a project, and stores it. Rejects with CommandError, exit code 5, without a user or without
 * consent: then nothing starts.
 */
export async function agreedAgent(proposal: AgentProposal): Promise<ConfiguredAgent> {
  const { name, file, entry } = proposal;
  const about = `the agent '${name}' is one of ${file}, which came with the project`;
  if (!canAsk()) throw refused(`${about}, and you have not agreed to start it: ${describeAgent(entry)}`, name);
  const shown = visibleText(describeAgent(entry)).replaceAll(/^/gm, '  ');
  stderr.print(`${visibleText(capitalized(about))}:\n\n${shown}\n\nIt runs with your rights. `);
  if (!(await isAgreed('Start it, as long as its entry stays exactly like this? (y/n) ')))
    throw refused(`${about}, and was not started`, name);
  await acceptAgent(proposal);
  return entry;
}

/** Whether a user can answer questions in lines. */
export function canAsk(): boolean {
  return process.stdin.isTTY && stderr.isTerminal;
}

/** Asks the user a question with the answers y and n; any other answer counts as n. */
export async function isAgreed(question: string): Promise<boolean> {
  const lines = new TypedLines({ input: process.stdin, output: stderr });
  await lines.discardTyped();
  const answer = await lines.ask(question, new AbortController().signal);
  return typeof answer === 'object' && /^y(?:es)?$/i.test(answer.line.trim());
}

/** Stores the consent of the user to an agent of a project, as its file defines it now. */
export async function acceptAgent(proposal: AgentProposal): Promise<void> {
  await new KeptConsents().keep(proposal, 'allowed');
}

function refused(what: string, name: string): CommandError {
  return new CommandError(`${what}. To agree: turnwire agents accept ${name}`, exitCodes.denied);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
