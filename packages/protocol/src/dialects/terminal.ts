import type { DialectContext } from './dialect.ts';
import { isObject, type JsonObject } from '../json-rpc/json-object.ts';
import { mapAsPairs, noted, setAside, without } from './keys.ts';

/** D40: the environment as a map. */
export function environmentMap(params: JsonObject): JsonObject {
  return mapAsPairs(params, 'env');
}

/** D41: output with a bare exit code. `null` means "running or killed" there, so the exit status is left out. */
export function outputExitCode(result: JsonObject): JsonObject {
  const { exitCode, exitStatus } = result;
  if ((exitCode !== null && typeof exitCode !== 'number') || exitStatus !== undefined) return result;
  const rest = without(result, ['exitCode']);
  return exitCode === null ? rest : { ...rest, exitStatus: { exitCode } };
}

/** D41: output that does not say whether it is whole. */
export function outputTruncated(result: JsonObject): JsonObject {
  return typeof result['output'] === 'string' && result['truncated'] === undefined
    ? { ...result, truncated: false }
    : result;
}

/** D42: a wait with a time limit. It is set aside, for a terminal host that wants to honour it. */
export function waitTimeout(params: JsonObject): JsonObject {
  return setAside(params, ['timeout']);
}

/** D43: the end of a wait, with the output. After a wait with a limit, no exit code means that the command still runs. */
export function waitOutput(result: JsonObject, { request }: DialectContext): JsonObject {
  const hadLimit = isObject(request) && typeof request['timeout'] === 'number';
  const exit = setAside(result, ['output']);
  return hadLimit && exit['exitCode'] === null ? noted(exit, { running: true }) : exit;
}
