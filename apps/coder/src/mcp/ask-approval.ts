import type { Turn } from '@turnwire/agent';
import type { Consent, ProjectProposal } from '@turnwire/machine';
import type { PermissionOption } from '@turnwire/protocol';
import { describeProposal } from './known-server.ts';

/** The user's decision about a server of a project. */
export interface ApprovalAnswer {
  readonly decision: Consent;
  /** Whether it is remembered beyond this session. */
  readonly isForever: boolean;
}

const options: readonly PermissionOption[] = [
  { optionId: 'allow_once', name: 'Connect in this session', kind: 'allow_once' },
  { optionId: 'allow_always', name: 'Always connect, as long as the entry is unchanged', kind: 'allow_always' },
  { optionId: 'reject_once', name: 'Not in this session', kind: 'reject_once' },
  { optionId: 'reject_always', name: 'Never, as long as the entry is unchanged', kind: 'reject_always' },
];

/** Asks whether a server of a project may be connected, showing its whole entry. Undefined: there was no answer, so it has to be asked again. */
export async function askApproval(turn: Turn, proposal: ProjectProposal): Promise<ApprovalAnswer | undefined> {
  const text = `${proposal.file} wants the MCP server ${proposal.name}:\n\n${describeProposal(proposal)}\n\nIt runs with your rights, outside of the agent.`;
  const report = turn.tool({
    title: `Connect the MCP server ${proposal.name} of this project`,
    kind: 'execute',
    content: text,
  });
  const { outcome, option } = await turn.askPermission(report, options);
  if (outcome === 'cancelled') {
    await report.fail('Not decided.');
    return undefined;
  }
  if (outcome === 'allowed') await report.complete();
  else await report.fail(`Refused. To allow it: /mcp allow ${proposal.name}.`);
  const isForever = option?.kind === 'allow_always' || option?.kind === 'reject_always';
  return { decision: outcome === 'allowed' ? 'allowed' : 'refused', isForever };
}
