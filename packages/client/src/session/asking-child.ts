import { type AskingChild, type SubagentUpdate, type ToolCallUpdate, turnwireMeta } from '@turnwire/protocol';
import { fieldsOf, parentIdOf } from '../transcript/tool-call-data.ts';
import type { ToolCallFacts } from './tool-call-facts.ts';

/** A subagent without a name: a rule about all subagents applies to it, too. */
export const unnamed: AskingChild = { name: 'subagent' };

/** The subagent that a tool call belongs to, if the agent reports that the call is part of another call. */
export function childOfCall(calls: ToolCallFacts, { _meta }: ToolCallUpdate): AskingChild | undefined {
  const parentId = parentIdOf(_meta);
  if (parentId === undefined) return undefined;
  const { name, title, rawInput } = calls.get(parentId) ?? {};
  const { agent, subagent_type: kind } = fieldsOf(rawInput) ?? {};
  return child([agent, kind, name, title], title);
}

/** The subagent of a child session, from a report of the agent about it. */
export function childOfSession({ title, _meta }: Partial<SubagentUpdate>): AskingChild {
  return child([turnwireMeta<'child session'>(_meta).child, title], title);
}

function child(names: readonly unknown[], title: string | null | undefined): AskingChild {
  const name = names.find((each): each is string => typeof each === 'string' && each.trim() !== '');
  return name === undefined ? unnamed : { name, ...(title && title !== name && { title }) };
}
