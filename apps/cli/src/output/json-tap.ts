import type { FrameTap } from '@turnwire/client';
import { cleanJson } from '../terminal/clean-text.ts';

/** Prints the frames of both directions as they pass, one a line; what is not JSON is none of theirs. */
export function jsonTap(write: (text: string) => void): FrameTap {
  return (_, frame) => {
    if (isJson(frame)) write(`${cleanJson(frame.trim())}\n`);
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
