import type { TranscriptView } from '@turnwire/client/transcript';
import { type ChildNode, childTree, flatTree, runningChildren } from '@turnwire/client/view';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Page } from '../terminal/page.ts';
import { cutLine } from '../terminal/text-width.ts';
import type { CommandActions } from './chat-actions.ts';

/** The subagents that run, as a tree in a limited number of lines: those that run before those that ended. Empty if none runs. */
export function childPanel(view: TranscriptView, rows: number, page: Page): readonly string[] {
  const nodes = flatTree(runningChildren(view));
  if (nodes.length === 0 || rows < 2) return [];
  const running = nodes.filter(({ node }) => !node.isOver).length;
  const shown = nodes.length + 1 <= rows ? nodes : nodes.filter(({ node }) => !node.isOver).slice(0, rows - 1);
  const left = nodes.length - shown.length;
  const more = left === 0 ? '' : `, ${left} more with /children`;
  const cancel = nodes.some(({ node }) => node.cancel) ? ' · /cancel' : '';
  const ended = nodes.length - running;
  const head = `Subagents: ${running} running${ended === 0 ? '' : `, ${ended} ended`}${more}${cancel}`;
  return [page.paint('dim', cutLine(head, page.width)), ...shown.map((each) => nodeLine(each, page))];
}

/** Shows the subagents of the session as a tree. */
export function showChildren(chat: CommandActions): void {
  const nodes = flatTree(childTree(chat.controller.conversation.transcript));
  if (nodes.length === 0) return chat.note('there are no subagents in this session');
  chat.say(nodes.map((each) => nodeLine(each, chat.page)));
}

function nodeLine(
  { node, depth }: { readonly node: ChildNode; readonly depth: number },
  { paint, width }: Page,
): string {
  const { title, name, stateText, isOver, isFailure, action } = node;
  const indent = '  '.repeat(Math.min(depth, 8));
  const style = isFailure ? 'red' : isOver ? 'dim' : 'cyan';
  const facts = [name, stateText, ...usageOf(node)].map((fact) => (fact === undefined ? '' : cleanLine(fact)));
  const about = `${cleanLine(title)} (${facts.filter((fact) => fact !== '').join(' · ')})`;
  const does = action === '' ? '' : `  ${cleanLine(action)}`;
  return cutLine(`${indent}${paint(style, '◇')} ${about}${paint('dim', does)}`, width);
}

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

function usageOf({ tokens, cost }: ChildNode): readonly string[] {
  return [
    ...(tokens === undefined ? [] : [`${short.format(tokens)} tokens`]),
    ...(cost === undefined ? [] : [`${Number(cost.amount.toFixed(4))} ${cost.currency}`]),
  ];
}
