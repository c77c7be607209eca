import { errorCodes, ProtocolError, type ToolCallContent } from '@turnwire/protocol';
import type { HostCall } from '../agent/host-gate.ts';
import type { HostFiles } from '../host/host.ts';

/** UTF-16 units of both texts together; longer ones are not compared while an agent waits. */
const longest = 1024 * 1024;

/**
 * What a write through the client would change, for the third parameter of `permissions.allowHostCall`: a diff with what the file
 * holds now. Nothing for other calls, for texts of more than 1 Mi characters together, and where the file cannot be read.
 * @param files what the call would be answered by
 */
export async function hostPreviewOf(call: HostCall, files: HostFiles | undefined): Promise<readonly ToolCallContent[]> {
  if (call.method !== 'fs/write_text_file') return [];
  const { path, content: newText } = call.params;
  const oldText = await presentText(path, call, files?.readTextFile);
  if (oldText === undefined || (oldText?.length ?? 0) + newText.length > longest) return [];
  return [{ type: 'diff', path, oldText, newText }];
}

/** Null for a file that does not exist; undefined where that cannot be told. */
async function presentText(
  path: string,
  { sessionId, roots, signal }: HostCall,
  read: HostFiles['readTextFile'],
): Promise<string | null | undefined> {
  try {
    return (await read?.({ sessionId, path }, { roots, signal }))?.content;
  } catch (error) {
    return error instanceof ProtocolError && error.code === errorCodes.resourceNotFound ? null : undefined;
  }
}
