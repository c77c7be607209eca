import {
  errorCodes,
  type HostCall,
  ProtocolError,
  type ReadTextFileRequest,
  type ReadTextFileResponse,
  type ToolCallContent,
} from '@turnwire/protocol';
import { changingVariables } from './host-action.ts';

/** Reads a file for a call, as the client's own files do. */
type ReadFile = (
  request: ReadTextFileRequest,
  context: Pick<HostCall, 'roots' | 'realRoots' | 'signal'>,
) => ReadTextFileResponse | Promise<ReadTextFileResponse>;

/**
 * The effect of a call beyond its action, for the third parameter of `permissions.allowHostCall`: for a write a diff with the current
 * content of the file, for a command the variables it sets, and a sentence about unknown effects.
 * @param files the service that would handle the call
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
  const unknown = 'The current content of the file cannot be read as text. All of it would be replaced.';
  return oldText === undefined ? [sentence(unknown), diff] : [diff];
}

function sentence(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** The current text of a file; null if it does not exist, undefined if it is unknown. */
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
