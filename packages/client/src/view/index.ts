export { isChange } from '../transcript/tool-call-data.ts';
export { type CallBlock, callBlock } from './call-block.ts';
export { type CallGroup, callGroup, continuesGroup } from './call-group.ts';
export { type ChildBlock, childBlock, isChildOver } from './child-block.ts';
export { type ChildNode, childTree, flatTree, runningChildren } from './child-tree.ts';
export { contentText, messageText } from './content-text.ts';
export {
  type Block,
  type BoundaryBlock,
  entryBlock,
  type MessageBlock,
  type NoticeBlock,
  noticeText,
  type PlanBlock,
  planBlock,
  type PromptBlock,
  type SessionMessageBlock,
  type TurnEndBlock,
  type UnknownBlock,
} from './entry-block.ts';
export { markdownDocument, markdownParts } from './markdown-document.ts';
export { type PermissionFacts, permissionFacts, reportedFacts } from './permission-facts.ts';
export { type CallText, callText, type SessionDocument } from './session-document.ts';
export { shortPath } from './short-path.ts';
export { type UsageCells, usageCells, usageTotal } from './usage-cells.ts';
export { ago, callTime, duration, elapsed, isCallOver } from './times.ts';
export { asSentence, type NextStep, nextSteps, turnEndText } from './turn-end-text.ts';
export { backgroundItems, cancellableItems, type RunningItem, runningItems, type WorkItem } from './work-items.ts';
