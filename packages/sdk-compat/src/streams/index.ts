export { ndJsonStream } from './nd-json-stream.ts';
export { DEFAULT_MAX_MESSAGE_BYTES, MessageTooLargeError, type NdJsonStreamOptions, type Stream } from './stream.ts';
export type { AnyMessage } from '../json-rpc/messages.ts';
