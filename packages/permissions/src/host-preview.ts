import {
  errorCodes,
  ProtocolError,
  type ReadTextFileRequest,
  type ReadTextFileResponse,
  type ToolCallContent,
} from '@turnwire/protocol';
import { changingVariables } from './host-action.ts';
import type { HostCall } from './host-call.ts';

/** Reads a file for a call, as the client's own files do. */
type ReadFile = (
  request: ReadTextFileRequest,
  context: Pick<HostCall, 'roots' | 'realRoots' | 'signal'>,
) => ReadTextFileResponse | Promise<ReadTextFileResponse>;

/**
 * What a call would do beyond what its action says, for the third parameter of `permissions.allowHostCall`: of a write a diff with what
 * the file holds now, of a command the variables it sets, and a sentence where something cannot be told.
 * @param files what the call would be answered by
 */
export async function hostPreviewOf(
  call: HostCall,
  files: { readonly readTextFile?: ReadFile } | undefined,
): Promise<readonly ToolCallContent[]> {
  if (call.method === 'terminal/create') {
    const variables = changingVariables(call.params).map(({ name, value }) => `It sets ${name}=${value}`);
    return variables.map(sentence);
  }
  if (call.method !== 'fs/write_text_file') return [];
  const { path, content: newText } = call.params;
  const oldText = await presentText(path, call, files?.readTextFile);
  const diff: ToolCallContent = { type: 'diff', path, oldText: oldText ?? null, newText };
  const unknown = 'What the file holds now cannot be read as text. All of it would be replaced.';
  return oldText === undefined ? [sentence(unknown), diff] : [diff];
}

function sentence(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** Null for a file that does not exist; undefined where that cannot be told. */
async function presentText(
  path: string,
  { sessionId, roots, realRoots, signal }: HostCall,
  read: ReadFile | undefined,
): Promise<string | null | undefined> {
  try {
    return (await read?.({ sessionId, path }, { roots, realRoots, signal }))?.content;
  } catch (error) {
    return error instanceof ProtocolError && error.code === errorCodes.resourceNotFound ? null : undefined;
  }
}
