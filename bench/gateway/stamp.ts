/** The contents of a stamped update. */
export interface Stamp {
  readonly serial: number;
  /** When the update was due, in milliseconds since 1970, with fractions. */
  readonly dueAt: number;
  /** The process id of the agent that sent it. */
  readonly process: number;
}

/** The text of an update with its stamp and a checksum of that, padded to a length. */
export function stamped({ serial, dueAt, process }: Stamp, length = 0): string {
  const said = `${serial} ${dueAt.toFixed(3)} ${process}`;
  return `${said} ${checksum(said)} `.padEnd(length, '.');
}

/** Reads a text of {@link stamped}. Undefined for other messages of a gateway; throws for a damaged stamp. */
export function readStamp(text: string): Stamp | undefined {
  if (text.startsWith('[turnwire]')) return undefined;
  const [serial, dueAt, sender, check] = text.split(' ', 4);
  if (checksum(`${serial} ${dueAt} ${sender}`) !== check) throw new Error(`a damaged update: ${text.slice(0, 80)}`);
  return { serial: Number(serial), dueAt: Number(dueAt), process: Number(sender) };
}

/** The current time, comparable between processes of this machine. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}

/** Calls back at a rate. The schedule does not wait for earlier calls, and late calls are caught up. Resolves after the last call. */
export async function onSchedule(
  { rate, count }: { readonly rate: number; readonly count: number },
  call: (index: number, dueAt: number) => unknown,
): Promise<void> {
  const start = preciseNow();
  for (let index = 0; index < count;) {
    const due = Math.min(count, Math.floor(((preciseNow() - start) / 1000) * rate) + 1);
    for (; index < due; index++) await call(index, start + (index / rate) * 1000);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** The checksum FNV-1a. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}
