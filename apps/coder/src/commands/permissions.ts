import type { PermissionRule, RuleEffect } from '@turnwire/permissions';
import { modeOf, modes } from '../modes/modes.ts';
import type { RuleScope } from '../permission/session-permissions.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import { failureMessage } from '../tool-error.ts';
import { inlineCode } from './inline-code.ts';
import type { SlashCommand } from './slash-command.ts';

/** `/permissions`: shows the rules, and changes them. */
export const permissionsCommand: SlashCommand = {
  name: 'permissions',
  description: 'Show the rules about what may be done, or change them',
  hint: '[allow | ask | deny RULE [in project | in user] | remove N | accept N]',
  run: async (turn, argument) => {
    const [verb = '', rest = ''] = /^(\S+)\s*(.*)$/su.exec(argument)?.slice(1) ?? [];
    if (verb === '') return turn.say(listing(turn));
    if (verb === 'allow' || verb === 'ask' || verb === 'deny') return turn.say(await add(turn, verb, rest));
    if (verb === 'remove' || verb === 'accept') return turn.say(await change(turn, verb, rest));
    return turn.say(`There is no ${inlineCode(`/permissions ${verb}`)}.\n\n${usage}`);
  },
};

const usage = `- \`/permissions\` shows the rules
- \`/permissions allow Bash(npm test)\`, or \`ask\`, or \`deny\`: adds one to this session; with \`… in project\` or \`… in user\` at its end, to this folder or to all your folders
- \`/permissions remove 2\` removes the rule with this number
- \`/permissions accept 2\` accepts a rule that came with the project`;

async function add(turn: CoderTurn, effect: RuleEffect, written: string): Promise<string> {
  const { text, scope } = parseScope(written);
  if (text === '') return `Which rule? For example \`/permissions ${effect} Bash(npm test)\`.`;
  const { permissions } = turn.session.memory;
  try {
    const rule = await permissions.addRule(effect, text, { scope, keep: (value) => turn.session.keep(value) });
    return `${described(rule)} is in force.`;
  } catch (error) {
    return `Not added. ${failureMessage(error)}`;
  }
}

async function change(turn: CoderTurn, verb: 'remove' | 'accept', written: string): Promise<string> {
  const { permissions } = turn.session.memory;
  if (!/^[1-9]\d{0,5}$/.test(written))
    return `Which rule? \`/permissions\` shows their numbers: \`/permissions ${verb} 1\`.`;
  const rule = permissions.listed(Number(written));
  if (!rule) return `There is no rule ${written} now.\n\n${listing(turn)}`;
  try {
    if (verb === 'accept') return await accept(turn, rule);
    await permissions.removeRule(rule, (value) => turn.session.keep(value));
    return `${described(rule)} is removed.`;
  } catch (error) {
    return `Nothing changed. ${failureMessage(error)}`;
  }
}

async function accept(turn: CoderTurn, rule: PermissionRule): Promise<string> {
  if (rule.isAccepted !== false) return `${described(rule)} is accepted already.`;
  return `${described(await turn.session.memory.permissions.acceptRule(rule))} is accepted.`;
}

function listing({ session }: CoderTurn): string {
  const { permissions } = session.memory;
  const mode = modes.find(({ id }) => id === modeOf(session));
  const rules = permissions.list().map((rule, at) => `${at + 1}. ${described(rule)}${acceptanceNote(rule, at + 1)}`);
  const parts = [
    `Mode **${mode?.name}**. ${mode?.description}.`,
    rules.length === 0 ? 'There are no rules.' : rules.join('\n'),
    ...permissions.warnings.map((warning) => `**Attention:** ${warning}`),
    'Rules that deny come first, then rules that ask, then rules that allow, then the mode.',
    usage,
  ];
  return parts.join('\n\n');
}

function described({ effect, text, source, file }: PermissionRule): string {
  const origin = file === undefined ? sources[source] : `${sources[source]}, ${inlineCode(file)}`;
  return `${effect} ${inlineCode(text)} (${origin})`;
}

const sources: Readonly<Record<PermissionRule['source'], string>> = {
  session: 'this session',
  project: 'this project',
  user: 'all your projects',
  'command-line': 'command line',
};

function acceptanceNote({ isAccepted }: PermissionRule, number: number): string {
  return isAccepted === false
    ? `: came with the project and has no effect until you accept it with \`/permissions accept ${number}\``
    : '';
}

function parseScope(written: string): { readonly text: string; readonly scope: RuleScope } {
  const [, text, scope] = /^(.*?)(?:\s+in (?:this )?(session|project|user))?$/su.exec(written) ?? [];
  return { text: text?.trim() ?? '', scope: (scope as RuleScope | undefined) ?? 'session' };
}
