/** The instruction files the user was last shown. */
export class ShownInstructions {
  #files = '';

  /** True if the files have changed. */
  isNew(files: string): boolean {
    if (files === this.#files) return false;
    this.#files = files;
    return true;
  }
}
