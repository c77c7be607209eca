import { isEnd } from '../transcript/tool-calls.ts';
import type { ToolCallEntry } from '../transcript/transcript-view.ts';

/** A time in the past, in words: `just now`, `5 min ago`, `2 h ago`, `3 days ago`, then the day. */
export function ago(milliseconds: number, now: number = Date.now()): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  if (days < 31) return days === 1 ? 'yesterday' : `${days} days ago`;
  return new Date(now - milliseconds).toISOString().slice(0, 10);
}

/** A duration for the user: `0.4 s`, `12 s`, `3 min 5 s`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 10) return `${(Math.floor(seconds * 10) / 10).toFixed(1)} s`;
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The duration of a running call: whole seconds, so that it does not flicker. Empty in the first second. */
export function elapsed(milliseconds: number): string {
  return milliseconds < 1000 ? '' : duration(Math.floor(milliseconds / 1000) * 1000).replace('.0 s', ' s');
}

/** Whether a tool call has ended. */
export function isCallOver({ state }: ToolCallEntry): boolean {
  return isEnd(state);
}

/**
 * How long a tool call has run, in milliseconds, without the time in which it waited for the user. Undefined for calls that did not run
 * here: those of a replay, those that the user has not allowed yet, and refused ones.
 * @param now milliseconds since the epoch, for running calls
 */
export function callTime(call: ToolCallEntry, now: number): number | undefined {
  const { permission, at, answeredAt, endedAt, isReplay } = call;
  const isHeld = permission?.state === 'asked' || (permission?.state === 'answered' && !permission.allowed);
  if (isReplay || isHeld) return undefined;
  const start = answeredAt ?? at;
  return (isCallOver(call) ? (endedAt ?? start) : now) - start;
}
