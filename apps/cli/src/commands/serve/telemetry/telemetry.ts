import type { ObservedEvent } from '@turnwire/gateway';
import { CommandError } from '../../../failure.ts';
import { exitCodes } from '../../../exit-codes.ts';
import { OtlpExporter, type OtlpEndpoint } from './otlp-exporter.ts';
import { TurnSpans } from './turn-spans.ts';

/** Sends the turns of sessions to an OpenTelemetry collector. */
export interface Telemetry {
  readonly observe: (seen: ObservedEvent) => void;
  /** Resolves when the queued spans have been sent or lost. */
  close(): Promise<void>;
}

/** The telemetry of a server; undefined unless the OpenTelemetry variables set an endpoint. Throws CommandError if the endpoint is invalid. */
export function telemetryOf(
  env: NodeJS.ProcessEnv,
  { version, warn }: { readonly version: string; readonly warn: (message: string) => void },
): Telemetry | undefined {
  const endpoint = endpointFrom(env, version);
  if (endpoint === undefined) return undefined;
  const exporter = new OtlpExporter(endpoint, warn);
  const spans = new TurnSpans((span) => exporter.add(span));
  return { observe: (seen) => spans.see(seen), close: () => exporter.close() };
}

function endpointFrom(env: NodeJS.ProcessEnv, version: string): OtlpEndpoint | undefined {
  const [name, url] = endpointVariable(env);
  if (url === undefined || env['OTEL_SDK_DISABLED'] === 'true') return undefined;
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url))
    throw new CommandError(`${name} must be a URL that begins with http:// or https://, not ${url}`, exitCodes.usage);
  const headers = env['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] ?? env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '';
  return { url, headers: headersIn(headers), service: env['OTEL_SERVICE_NAME'] || 'turnwire', version };
}

/** The variable that sets the endpoint, and its value. */
function endpointVariable(env: NodeJS.ProcessEnv): readonly [name: string, url: string | undefined] {
  const [own, shared] = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (env[own]) return [own, env[own]];
  return [shared, env[shared] ? `${env[shared].replace(/\/+$/, '')}/v1/traces` : undefined];
}

/** Parses `name=value,name=value`, with URL-encoded values. */
function headersIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((pair) => {
    const [, name, value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    return name === undefined ? [] : [[name.toLowerCase(), decoded(value)] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
