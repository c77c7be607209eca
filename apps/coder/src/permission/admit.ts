import type { ToolReport, Turn } from '@turnwire/agent';
import type { Decision } from '@turnwire/permissions';
import { modeRules, refusedByMode } from './mode-rules.ts';
import { modeOf } from '../modes/modes.ts';
import type { PreparedCall, Tool } from '../tools/tool.ts';
import { failureMessage } from '../tool-error.ts';
import type { Admission } from '../tools/admission.ts';
import type { SessionPermissions } from './session-permissions.ts';
import type { PermissionOption, TurnwireMeta } from '@turnwire/protocol';

/** A turn of a session with permissions. */
type PermissionTurn = Turn<{ readonly permissions: SessionPermissions }>;

/** A call that is about to run. */
export interface CallToAdmit {
  readonly tool: Tool;
  readonly prepared: PreparedCall;
  readonly report: ToolReport;
}

/** Decides whether a call may run: by the mode, by the rules, or by asking the user. Never throws. */
export async function admit(turn: PermissionTurn, call: CallToAdmit): Promise<Admission> {
  try {
    return await decide(turn, call);
  } catch (error) {
    return { outcome: 'refused', reason: `Refused: the permission check failed. ${failureMessage(error)}` };
  }
}

async function decide(turn: PermissionTurn, call: CallToAdmit): Promise<Admission> {
  const mode = modeOf(turn.session);
  if (modeRules[mode][call.tool.effect] === 'deny') return { outcome: 'refused', reason: refusedByMode(mode) };
  // Each warning is shown once: the author of an invalid rule must learn that it has no effect.
  for (const title of turn.session.memory.permissions.newWarnings()) await turn.notice({ severity: 'warning', title });
  const decision = judge(turn, call);
  if (decision.effect === 'deny') return refusedByRule(decision);
  const { ask } = call.prepared;
  if (ask) return ask(call.report);
  return decision.effect === 'allow' ? { outcome: 'allowed' } : askUser(turn, call, decision);
}

function judge({ session }: PermissionTurn, { tool, prepared }: CallToAdmit): Decision {
  const { permissions } = session.memory;
  const { paths = [] } = prepared.facts;
  const isFar = tool.effect === 'looks' && !permissions.holds(paths);
  // Access outside the folders of the session counts as reaching out.
  const effect = isFar ? 'reaches' : tool.effect;
  const otherwise = isFar && permissions.isFarSecret(paths) ? 'ask' : modeRules[modeOf(session)][effect];
  const decision = permissions.judge(tool, prepared, otherwise);
  return permissions.withinLimit(decision, { tool, prepared }, effect);
}

async function askUser(turn: PermissionTurn, call: CallToAdmit, decision: Decision): Promise<Admission> {
  const { permissions } = turn.session.memory;
  return askWith(turn, call.report, {
    // A rule that asks takes precedence over a remembered answer.
    proposal: decision.rule ? undefined : permissions.proposedRule(call.tool, call.prepared),
    paths: call.prepared.facts.paths ?? [],
    judgeAgain: () => permissions.judge(call.tool, call.prepared, 'ask'),
  });
}

/** A question to the user. */
interface AskedCall {
  /** The rule for an answer that is remembered. Undefined: no such answer is offered. */
  readonly proposal: string | undefined;
  readonly paths: readonly string[];
  /** Judges the call when it is answered: a rule may have been added while the question was open. */
  readonly judgeAgain: () => Decision;
}

/** Asks the user whether a call may run, and remembers the answer if the user wants that. */
export async function askWith(
  turn: PermissionTurn,
  report: ToolReport,
  { proposal, paths, judgeAgain }: AskedCall,
): Promise<Admission> {
  const { permissions } = turn.session.memory;
  const { outcome, option, feedback } = await turn.askPermission(report, callOptions(proposal, paths));
  if (outcome === 'cancelled') return { outcome: 'dismissed' };
  const now = judgeAgain();
  if (now.effect === 'deny') return refusedByRule(now);
  if (proposal !== undefined && option?.kind.endsWith('_always'))
    await permissions.addRule(outcome === 'allowed' ? 'allow' : 'deny', proposal, {
      scope: 'session',
      keep: (value) => turn.session.keep(value),
    });
  if (outcome === 'allowed') return { outcome };
  return { outcome: 'refused', reason: refusedByUser(feedback), ...(feedback !== undefined && { feedback }) };
}

function refusedByUser(feedback: string | undefined): string {
  const refused = 'Permission was refused; nothing was changed.';
  return feedback === undefined ? refused : `${refused} The reason: ${feedback}`;
}

function refusedByRule({ reason }: Decision): Admission {
  return { outcome: 'refused', reason: `Refused, ${reason}; nothing was done.`, feedback: reason };
}

/** The model gets the reason of the user for a rejection. */
const readsReason: Pick<PermissionOption, '_meta'> = {
  _meta: { turnwire: { allowFeedback: true } satisfies TurnwireMeta['permission option'] },
};

/**
 * The answers to the question whether a call may run. At most one per kind: some clients show one answer per kind, with their own name. An
 * answer for the session quotes the rule it adds.
 * @param proposal the rule for an answer that is remembered. Undefined: no such answer is offered
 */
function callOptions(proposal: string | undefined, paths: readonly string[]): readonly PermissionOption[] {
  const always = (verb: 'allow' | 'reject'): PermissionOption => ({
    optionId: `${verb}_session`,
    name: `Always ${verb} ${proposal} in this session`,
    kind: `${verb}_always`,
    ...(verb === 'reject' && readsReason),
  });
  return [
    { optionId: 'allow_once', name: 'Allow once', kind: 'allow_once' },
    ...(proposal === undefined ? [] : [always('allow')]),
    { optionId: 'reject_once', name: 'Reject', kind: 'reject_once', ...readsReason },
    // A rule about a folder of files would forbid far more than the user meant.
    ...(proposal === undefined || paths.length > 0 ? [] : [always('reject')]),
  ];
}
