import type { RequestId } from './request-id.ts';
import type { WireError } from './wire-error.ts';

/*
 * Messages are concatenated from text: the constant parts are written once per method, and JSON.stringify writes only the others.
 * JSON.stringify throws on cycles and BigInt; callers turn that into an error of one message.
 */

/** The part of a notification before its parameters. */
export function notificationHead(method: string): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":`;
}

/** The part of a request between its id and its parameters. */
export function requestMiddle(method: string): string {
  return `,"method":${JSON.stringify(method)},"params":`;
}

/** @param text the parameters, if they were written before */
export function notificationFrame(head: string, params: unknown, text: string = json(params)): string {
  return `${head}${text}}`;
}

export function requestFrame(id: number, middle: string, params: unknown): string {
  return `{"jsonrpc":"2.0","id":${id}${middle}${json(params)}}`;
}

export function resultFrame(id: RequestId, result: unknown): string {
  return `{"jsonrpc":"2.0","id":${idText(id)},"result":${json(result)}}`;
}

export function errorFrame(id: RequestId, error: WireError): string {
  return `{"jsonrpc":"2.0","id":${idText(id)},"error":${json(error)}}`;
}

function idText(id: RequestId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}

/** Undefined and functions have no JSON: they become the empty value that the protocol expects. */
function json(value: unknown): string {
  return value === undefined ? '{}' : (JSON.stringify(value) ?? 'null');
}
