import { AnswerDefect } from './answer-defect.ts';

/** Why a model did not answer. */
export type FailureReason =
  | 'unauthorized'
  | 'forbidden'
  | 'billing'
  | 'model-not-found'
  | 'context-overflow'
  | 'bad-request'
  | 'rate-limited'
  | 'overloaded'
  | 'server-error'
  | 'connection'
  | 'stalled'
  | 'broke-off'
  | 'not-understood'
  | 'unknown';

/** The facts extracted from an error of any type. */
export interface FailureFacts {
  readonly reason: FailureReason;
  /** The HTTP status. */
  readonly status: number | undefined;
  /** The provider's own code, such as `insufficient_quota`. */
  readonly code: string | undefined;
  /** The message of the provider or the system, unchanged. */
  readonly message: string;
  /** Milliseconds to wait, as requested by the server. */
  readonly retryAfter: number | undefined;
}

/** Reads an error of a provider package, of the network, of a stream, or of ours. */
export function failureFacts(error: unknown): FailureFacts {
  if (error instanceof AnswerDefect) return factsOf(error.warning, error.providerMessage ?? '');
  const status = numberIn(error, 'statusCode');
  const code = codeIn(error);
  const message = messageOf(error);
  const retryAfter = retryAfterIn(fieldOf(error, 'responseHeaders'));
  return { reason: reasonOf({ error, status, code, message }), status, code, message, retryAfter };
}

function factsOf(reason: FailureReason, message: string): FailureFacts {
  return { reason, status: undefined, code: undefined, message, retryAfter: undefined };
}

interface Seen {
  readonly error: unknown;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly message: string;
}

function reasonOf({ error, status, code = '', message }: Seen): FailureReason {
  if (isOverflow(status, code, message)) return 'context-overflow';
  if (/insufficient_quota|billing|credit balance/i.test(`${code} ${message}`)) return 'billing';
  const byStatus = status === undefined ? undefined : reasonOfStatus(status, message);
  return byStatus ?? reasonOfCode(code) ?? reasonOfError(error);
}

// Providers share no code for a context overflow. A limit of tokens per minute is temporary and does not count as one.
function isOverflow(status: number | undefined, code: string, message: string): boolean {
  if (status === 413 || /context_length_exceeded|model_max_prompt_tokens_exceeded|request_too_large/.test(code))
    return true;
  if (status !== undefined && status !== 400 && status !== 422) return false;
  return /context (length|window|size)|maximum context|prompt is too long|input (is )?too long|too many (input )?tokens|input token count|maximum prompt length|exceeds? the (available context|maximum number of tokens)/i.test(
    message,
  );
}

function reasonOfStatus(status: number, message: string): FailureReason | undefined {
  if (status === 400 && /api key not valid|invalid api key/i.test(message)) return 'unauthorized';
  const exact = statusReasons[status];
  if (exact) return exact;
  if (status >= 500) return 'server-error';
  // A status below 400 belongs to an unreadable answer and explains nothing.
  return status >= 400 ? 'bad-request' : undefined;
}

const statusReasons: Readonly<Record<number, FailureReason>> = {
  401: 'unauthorized',
  402: 'billing',
  403: 'forbidden',
  404: 'model-not-found',
  408: 'server-error',
  409: 'server-error',
  429: 'rate-limited',
  503: 'overloaded',
  529: 'overloaded',
};

function reasonOfCode(code: string): FailureReason | undefined {
  if (/overloaded|unavailable/i.test(code)) return 'overloaded';
  if (/rate_?limit|resource_exhausted|too_many_requests|^429$/i.test(code)) return 'rate-limited';
  if (/authentication|invalid_api_key|unauthenticated|^401$/i.test(code)) return 'unauthorized';
  if (/permission/i.test(code)) return 'forbidden';
  if (/not_found/i.test(code)) return 'model-not-found';
  if (/invalid_request|invalid_argument/i.test(code)) return 'bad-request';
  return /server_error|api_error|internal|timeout|^5\d\d$/i.test(code) ? 'server-error' : undefined;
}

function reasonOfError(error: unknown): FailureReason {
  const name = error instanceof Error ? error.name : '';
  if (/JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody/.test(name)) return 'not-understood';
  if (fieldOf(error, 'isRetryable') === true || systemCodeIn(error) !== undefined) return 'connection';
  const isNetwork = error instanceof TypeError && /terminated|fetch failed|network|socket/i.test(error.message);
  if (isNetwork) return 'connection';
  return numberIn(error, 'statusCode') === undefined ? 'unknown' : 'not-understood';
}

/** `ECONNREFUSED` and the like, at any depth. */
function systemCodeIn(error: unknown, depth = 0): string | undefined {
  if (depth > 5 || typeof error !== 'object' || error === null) return undefined;
  const code = fieldOf(error, 'code');
  if (typeof code === 'string' && /^(E[A-Z]+|UND_ERR_[A-Z_]+|CERT_[A-Z_]+|DEPTH_[A-Z_]+|SELF_[A-Z_]+)$/.test(code))
    return code;
  return systemCodeIn(fieldOf(error, 'cause'), depth + 1);
}

function messageOf(error: unknown): string {
  const nested = fieldOf(error, 'error');
  const inside =
    typeof nested === 'string'
      ? nested
      : (fieldOf(nested, 'message') ?? fieldOf(fieldOf(fieldOf(error, 'response'), 'error'), 'message'));
  const message = typeof inside === 'string' ? inside : fieldOf(brokenOff(error) ?? error, 'message');
  const system = systemCodeIn(error);
  const text = typeof message === 'string' ? message : typeof error === 'string' ? error : '';
  return system !== undefined && !text.includes(system) ? `${text} (${system})`.trim() : text;
}

/** Why an answer that had begun was not read to its end: the library's own error only says that it failed. */
function brokenOff(error: unknown): Error | undefined {
  const cause = numberIn(error, 'statusCode') === 200 ? fieldOf(error, 'cause') : undefined;
  return cause instanceof Error && cause.message !== '' ? cause : undefined;
}

/** The provider's code, in any of the fields that errors may have it in. */
function codeIn(error: unknown): string | undefined {
  const candidates = [fieldOf(error, 'data'), fieldOf(error, 'response'), error].flatMap((candidate) => [
    fieldOf(candidate, 'error'),
    candidate,
  ]);
  for (const candidate of candidates)
    for (const field of ['code', 'type', 'status']) {
      const value = fieldOf(candidate, field);
      if (typeof value === 'string' && value !== 'error' && /^[\w.-]{1,64}$/.test(value)) return value;
      if (typeof value === 'number') return String(value);
    }
  return undefined;
}

function retryAfterIn(headers: unknown): number | undefined {
  const exact = Number(fieldOf(headers, 'retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const value = fieldOf(headers, 'retry-after');
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const milliseconds = /^\s*[\d.]+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

function numberIn(value: unknown, field: string): number | undefined {
  const found = fieldOf(value, field);
  return typeof found === 'number' ? found : undefined;
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null && field in value
    ? (value as Record<string, unknown>)[field]
    : undefined;
}
