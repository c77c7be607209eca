import type { KeyboardEvent } from 'react';

/** Whether the user types on a screen. There Enter starts a new line, because a screen keyboard has no Shift-Enter. */
export const isTouchScreen: boolean = matchMedia('(hover: none) and (pointer: coarse)').matches;

/** Whether a key is part of composing a character with an input method. */
export function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  // Safari ends the composition before the Enter that confirmed it; only the key code reveals that.
  return nativeEvent.isComposing || nativeEvent.keyCode === 229;
}

/** Whether a key sends a prompt: Enter without Shift, or on a touch screen Enter with Ctrl or ⌘. */
export function isSendingKey(key: KeyboardEvent): boolean {
  if (key.key !== 'Enter' || isComposing(key)) return false;
  return key.ctrlKey || key.metaKey || (!key.shiftKey && !isTouchScreen);
}
