import { optionOfKind, type PermissionDecision } from '@agentwire/client';
import type { PermissionOption, RequestPermissionRequest } from '@agentwire/protocol';
import { cleanLine } from '../terminal/clean-text.ts';
import type { PermissionSettings } from './permission-settings.ts';

/** A request, and what can be done about it here. */
export interface Asked {
  readonly request: RequestPermissionRequest;
  /** Asks the person; absent when there is none. */
  readonly ask?: () => Promise<PermissionOption | undefined>;
  /** Tells the person something. */
  readonly remark: (message: string) => void;
  /** Ends the turn. */
  readonly stop: (message: string) => void;
}

/** Decides as the settings say. Where a person should be asked and there is none, reading is allowed and the rest is not. */
export function decide(settings: PermissionSettings, asked: Asked): PermissionDecision | Promise<PermissionDecision> {
  const { options, toolCall } = asked.request;
  if (settings.base === 'approve-all') return optionOfKind(options, 'allow_once', 'allow_always');
  if (settings.base === 'deny-all') return optionOfKind(options, 'reject_once');
  const isReading = toolCall.kind === 'read' || toolCall.kind === 'search';
  if (isReading && (settings.base === 'approve-reads' || !asked.ask))
    return optionOfKind(options, 'allow_once', 'allow_always');
  return asked.ask ? asked.ask() : refuse(settings, asked);
}

function refuse({ whenNobodyAnswers }: PermissionSettings, { request, remark, stop }: Asked): PermissionDecision {
  const title = cleanLine(request.toolCall.title ?? request.toolCall.toolCallId);
  if (whenNobodyAnswers === 'fail') {
    stop(`stopped: the agent asks for permission (${title}) and nobody can be asked here; --approve-all allows it`);
    return undefined;
  }
  remark(`refused: ${title} (nobody can be asked here; --approve-all allows it)`);
  return optionOfKind(request.options, 'reject_once');
}
