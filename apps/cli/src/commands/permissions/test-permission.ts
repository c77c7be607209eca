import { type Action, actionOf } from '@turnwire/permissions';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { ruleOrigin } from '../../permission/rule-origin.ts';
import { visibleLine } from '../../terminal/clean-text.ts';
import { report } from '../report.ts';
import { hasBrokenFile, permissionsInForce } from './rule-scope.ts';

const outcomes = { allow: 'allowed', ask: 'asked about', deny: 'denied' } as const;

/**
 * Prints the decision about a command, or about an action in the form of a rule, with its reason. Starts nothing. Resolves with the exit
 * code: 1 if a rules file cannot be read.
 */
export async function testPermission(words: readonly string[], options: GlobalOptions): Promise<number> {
  const text = words.join(' ').trim();
  if (text === '')
    throw new CommandError('give a command, or an action in the form of a rule: Read(.env)', exitCodes.usage);
  const permissions = permissionsInForce(options);
  const { effect, reason, rule } = permissions.judge(actionIn(text, options.cwd));
  const { mode } = permissions;
  report(options, { effect, reason, mode, ...(rule && { rule }) }, () => {
    if (options.format === 'quiet') return effect;
    const lines = [
      `${visibleLine(text)} is ${outcomes[effect]}`,
      `why: ${visibleLine(reason.replace(/^(?:allowed|asked|denied): /, ''))}`,
      ...(rule ? [`rule: ${rule.effect} ${visibleLine(rule.text)} (${ruleOrigin(rule)})`] : []),
      `approval: ${mode}`,
    ];
    return lines.join('\n');
  });
  return hasBrokenFile(permissions) ? exitCodes.error : exitCodes.ok;
}

/** The protocol's kind of tool call for each name in rules, and the input key of its subject. */
const kinds = {
  Read: ['read', 'path'],
  Search: ['search', 'path'],
  Grep: ['search', 'path'],
  Edit: ['edit', 'path'],
  Write: ['edit', 'path'],
  Delete: ['delete', 'path'],
  Move: ['move', 'path'],
  WebFetch: ['fetch', 'url'],
  Bash: ['execute', 'command'],
} as const;

/** The action in a text such as `Read(.env)`; any other text is a command. MCP tools have no input. */
function actionIn(text: string, cwd: string): Action {
  const [, name = '', about = ''] = /^([A-Za-z]\w*)\((.*)\)$/s.exec(text) ?? [];
  const isTool = /^mcp__\w+$/.test(text);
  const [kind, key] = isTool
    ? (['other', 'path'] as const)
    : Object.hasOwn(kinds, name)
      ? kinds[name as keyof typeof kinds]
      : kinds.Bash;
  const value = name === '' || !Object.hasOwn(kinds, name) ? text : about.replace(/^domain:(.*)$/, 'https://$1/');
  const toolCall = {
    toolCallId: 'test',
    kind,
    ...(isTool ? { name: text } : { rawInput: { [key]: value } }),
  };
  return actionOf({ sessionId: 'test', toolCall }, [cwd]);
}
