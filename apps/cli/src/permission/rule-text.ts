import type { GivenRule } from '@turnwire/permissions';
import { cleanLine } from '../terminal/clean-text.ts';

/** A rule in a line: its effect, the rule, the subagents that it is about, and its message for the model. */
export function ruleText(rule: GivenRule): string {
  return cleanLine(`${rule.effect} ${ruleDetail(rule)}`);
}

/** A rule in a line, without its effect. */
export function ruleDetail({ text, child, message }: Omit<GivenRule, 'effect'>): string {
  const about = child === undefined ? '' : ` for subagents ${child}`;
  return `${text}${about}${message === undefined ? '' : `: ${message}`}`;
}
