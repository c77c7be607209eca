/** How files are converted to content. */
export interface ContentOptions {
  /** The base of relative paths: the working directory of the session. Without it paths must be absolute. */
  readonly cwd?: string | undefined;
  /** Texts up to this many bytes are embedded; longer ones are linked. Default 128 KiB. */
  readonly textLimit?: number | undefined;
  /** Images and audio up to this many characters of base64 are embedded; larger ones are linked. Default 5 MiB. */
  readonly mediaLimit?: number | undefined;
}

export const defaultTextLimit: number = 128 * 1024;
export const defaultMediaLimit: number = 5 * 1024 * 1024;
