import { isObject, type JsonObject } from '../json-rpc/json-object.ts';
import { noted, renamed, setAside, without } from './keys.ts';

/** D24, second half: the tool's kind under `toolKind`, as `kind` was taken for the discriminator. */
export function toolKind(call: JsonObject): JsonObject {
  return renamed(call, 'toolKind', 'kind');
}

/** D25: `input` and `output`. Output is a list of blocks, so it is content and not raw output. */
export function inputAndOutput(call: JsonObject): JsonObject {
  const named = renamed(call, 'input', 'rawInput');
  return Array.isArray(named['output']) ? renamed(named, 'output', 'content') : named;
}

/** D29: a status for cancelled calls. The nearest official one is `failed`; the difference is noted. */
export function cancelledStatus(call: JsonObject): JsonObject {
  return call['status'] === 'cancelled' ? { ...noted(call, { status: 'cancelled' }), status: 'failed' } : call;
}

/** D31: one location instead of a list. */
export function singleLocation(call: JsonObject): JsonObject {
  const location = call['location'];
  if (!isObject(location) || call['locations'] !== undefined) return call;
  return { ...without(call, ['location']), locations: [location] };
}

/** D26: a diff's texts by other names. Empty ones are left out there, so a missing new text is an empty one. */
export function diffContents(item: JsonObject): JsonObject {
  if (item['type'] !== 'diff' || (item['oldContent'] === undefined && item['newContent'] === undefined)) return item;
  const diff = renamed(renamed(item, 'oldContent', 'oldText'), 'newContent', 'newText');
  return diff['newText'] === undefined ? { ...diff, newText: '' } : diff;
}

const blockTypes: readonly unknown[] = ['text', 'image', 'audio', 'resource', 'resource_link', 'resourceLink'];

/** D30: a content block that is not wrapped. */
export function bareBlock(item: JsonObject): JsonObject {
  return blockTypes.includes(item['type']) ? { type: 'content', content: item } : item;
}

/** D32: a diff that says what kind of file it is. */
export function diffType(item: JsonObject): JsonObject {
  return item['type'] === 'diff' ? setAside(item, ['mimeType']) : item;
}

/** D33: a terminal with its command and its exit status. */
export function terminalDetails(item: JsonObject): JsonObject {
  return item['type'] === 'terminal' ? setAside(item, ['command', 'exitCode']) : item;
}
