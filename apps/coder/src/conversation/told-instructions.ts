/** Which files with instructions the user was told of last. */
export class ToldInstructions {
  #files = '';

  /** True if others count now. */
  isNew(files: string): boolean {
    if (files === this.#files) return false;
    this.#files = files;
    return true;
  }
}
