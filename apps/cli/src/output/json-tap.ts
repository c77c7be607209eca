import type { FrameTap } from '@turnwire/client';

/** Prints the frames of both directions as they pass; lines that are not JSON are left out. */
export function jsonTap(printJson: (json: string) => void): FrameTap {
  return (_, frame) => {
    if (isJson(frame)) printJson(frame.trim());
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
