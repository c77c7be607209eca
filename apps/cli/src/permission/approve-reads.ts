import { denyAll, optionOfKind, type PermissionPolicy } from '@agentwire/client';
import type { ToolCalls } from '../output/tool-calls.ts';
import { cleanLine } from '../terminal/clean-text.ts';

/** A policy for when nobody can be asked: reading and searching is allowed, the rest refused, and `onDenied` told what. */
export function approveReads(calls: ToolCalls, onDenied: (title: string) => void): PermissionPolicy {
  return (request, context) => {
    const call = calls.merge(request.toolCall);
    if (call.kind === 'read' || call.kind === 'search')
      return optionOfKind(request.options, 'allow_once', 'allow_always');
    onDenied(cleanLine(call.title));
    return denyAll(request, context);
  };
}
