/** Something was exchanged for something else between looking at it and using it. */
export class MovedError extends Error {
  override readonly name = 'MovedError';
}
