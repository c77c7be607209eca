import { askingModeId } from '@turnwire/runtime';
import type { PermissionMode, PermissionRule, RuleEffect, RuleSource } from '@turnwire/permissions';
import { explain } from '../failure.ts';
import { ruleOrigin } from '../permission/rule-origin.ts';
import { ruleText } from '../permission/rule-text.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { CommandActions } from './chat-actions.ts';
import type { Choice } from '../questions/choice.ts';

/** The steps of the permissions dialog. */
type Step = 'approval' | 'add' | PermissionRule;

/** Shows the approval setting and the rules in force with their sources. The user may change the setting, and add or remove a rule. */
export async function pickPermissions(chat: CommandActions): Promise<void> {
  const { permissions } = chat.controller;
  for (const warning of permissions.warnings) chat.say([cleanLine(warning)]);
  const step = await chat.choose<Step>({ title: 'Permissions', choices: stepsOf(chat) });
  if (step === undefined) return;
  try {
    if (step === 'approval') await pickApproval(chat);
    else if (step === 'add') await addRule(chat);
    else await changeRule(chat, step);
    await ensureAsking(chat);
  } catch (error) {
    chat.note(explain(error));
  }
}

function stepsOf({ controller: { permissions } }: CommandActions): readonly Choice<Step>[] {
  const rules = permissions.rules.map((rule) => ({
    label: ruleText(rule),
    detail: ruleOrigin(rule),
    value: rule,
  }));
  return [
    { label: `Approval: ${permissions.mode}`, detail: meanings[permissions.mode], value: 'approval' },
    { label: 'Add a rule', value: 'add' },
    ...rules,
  ];
}

async function pickApproval(chat: CommandActions): Promise<void> {
  const { permissions } = chat.controller;
  const modes = Object.keys(meanings) as PermissionMode[];
  const choices = modes.map((mode) => ({ label: mode, detail: meanings[mode], value: mode }));
  const mode = await chat.choose({
    title: 'Approval: what happens if no rule applies',
    choices,
    current: permissions.mode,
  });
  if (mode === undefined || mode === permissions.mode) return;
  permissions.setMode(mode);
  chat.note(`approval is ${mode} now: ${meanings[mode]}`);
}

async function addRule(chat: CommandActions): Promise<void> {
  const effect = await chat.choose<RuleEffect>({ title: 'What should the rule do?', choices: effects });
  if (effect === undefined) return;
  const text = (await chat.askText('The rule, such as Bash(git *) or Edit(src/**)'))?.trim();
  if (text === undefined || text === '') return;
  const message =
    effect === 'deny'
      ? (await chat.askText('A message for the model, such as what to do instead (may be empty)'))?.trim()
      : undefined;
  const source = await chat.choose<RuleSource>({ title: 'For how long, and for whom?', choices: sources });
  if (source === undefined) return;
  const written = { text, ...(message && { message }) };
  const rule = await chat.controller.permissions.addRule(effect, written, source);
  chat.note(`in force: ${ruleText(rule)}, ${ruleOrigin(rule)}`);
}

async function changeRule(chat: CommandActions, rule: PermissionRule): Promise<void> {
  const accept = [{ label: 'Accept it', letter: 'a', value: 'accept' as const }];
  const choices: Choice<'accept' | 'remove' | 'keep'>[] = [
    ...(rule.isAccepted === false ? accept : []),
    { label: 'Remove it', letter: 'y', value: 'remove' },
    { label: 'Keep it', letter: 'n', value: 'keep' },
  ];
  const title = `${ruleText(rule)} (${ruleOrigin(rule)})`;
  const step = await chat.choose({ title, choices });
  if (step === 'accept') {
    const accepted = await chat.controller.permissions.acceptRule(rule);
    return chat.note(`in force: ${ruleText(accepted)}, ${ruleOrigin(accepted)}`);
  }
  if (step !== 'remove') return;
  await chat.controller.permissions.removeRule(rule);
  chat.note(`removed: ${ruleText(rule)}`);
}

/** Sets the agent's asking mode if the new permissions require it, because the agent need not ask while everything is allowed. */
async function ensureAsking({ controller }: CommandActions): Promise<void> {
  const { conversation, permissions, differences } = controller;
  const modeId = askingModeId(differences, permissions);
  if (modeId !== undefined && conversation.transcript.currentModeId !== modeId) await conversation.setMode(modeId);
}

const meanings: Readonly<Record<PermissionMode, string>> = {
  default: 'asks about everything but reading files of the session',
  acceptEdits: 'changes files of the session without asking',
  plan: 'nothing is allowed',
  bypassPermissions: 'everything is allowed, nothing is asked',
};

const effects: readonly Choice<RuleEffect>[] = [
  { label: 'Allow', detail: 'without asking', value: 'allow' },
  { label: 'Ask', detail: 'even where approval would not', value: 'ask' },
  { label: 'Deny', detail: 'without asking', value: 'deny' },
];

const sources: readonly Choice<RuleSource>[] = [
  { label: 'This chat', detail: 'until you leave', value: 'session' },
  { label: 'This project', detail: 'its .turnwire/permissions.json', value: 'project' },
  { label: 'All your projects', detail: 'your own permissions.json', value: 'user' },
];
