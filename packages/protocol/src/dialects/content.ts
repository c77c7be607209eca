import { isObject, type JsonObject } from '../json-rpc/json-object.ts';
import { setAside, without } from './keys.ts';

/** D27: text that does not say it is text. */
export function untypedText(block: JsonObject): JsonObject {
  return block['type'] === undefined && typeof block['text'] === 'string' ? { type: 'text', ...block } : block;
}

/** D46: a link by its name in camel case. */
export function resourceLink(block: JsonObject): JsonObject {
  return block['type'] === 'resourceLink' ? { ...block, type: 'resource_link' } : block;
}

const resourceKeys = ['uri', 'mimeType', 'text', 'blob'];

/** D47: an embedded resource without its inner object. */
export function flatResource(block: JsonObject): JsonObject {
  if (block['type'] !== 'resource' || block['resource'] !== undefined || typeof block['uri'] !== 'string') return block;
  if (typeof block['text'] !== 'string' && typeof block['blob'] !== 'string') return block;
  const resource = Object.fromEntries(Object.entries(block).filter(([key]) => resourceKeys.includes(key)));
  return { ...without(block, resourceKeys), resource };
}

const annotationKeys = ['audience', 'lastModified', 'priority', '_meta'];

/** D51: annotations with a title, a priority in words, and keys of one's own. */
export function annotationExtras(block: JsonObject): JsonObject {
  const annotations = block['annotations'];
  if (!isObject(annotations)) return block;
  const extras = Object.keys(annotations).filter((key) => !annotationKeys.includes(key));
  if (typeof annotations['priority'] === 'string') extras.push('priority');
  return extras.length === 0 ? block : { ...block, annotations: setAside(annotations, extras) };
}
