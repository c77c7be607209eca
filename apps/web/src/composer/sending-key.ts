import type { KeyboardEvent } from 'react';

/** Whether the user types on a screen: there Enter begins a new line, as a keyboard on a screen has no Shift-Enter. */
export const isTouchScreen: boolean = matchMedia('(hover: none) and (pointer: coarse)').matches;

/** Whether a key is part of composing a character with an input method. */
export function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  // Safari ends the composition before the Enter that confirmed it: only the code of that key says so.
  return nativeEvent.isComposing || nativeEvent.keyCode === 229;
}

/** Whether a key sends a prompt: Enter without Shift; on a touch screen with Ctrl or ⌘. */
export function isSendingKey(key: KeyboardEvent): boolean {
  if (key.key !== 'Enter' || isComposing(key)) return false;
  return key.ctrlKey || key.metaKey || (!key.shiftKey && !isTouchScreen);
}
