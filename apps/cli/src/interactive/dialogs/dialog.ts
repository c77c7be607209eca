import type { Paint } from '../../terminal/paint.ts';
import type { Drawing, Size } from '../drawing.ts';
import type { Key } from '../key.ts';

/** A dialog, which replaces the editor until the user has answered it. */
export interface Dialog {
  /** Draws the dialog within a size. */
  draw(size: Size, paint: Paint): Drawing;
  key(key: Key): void;
  paste(text: string): void;
}
