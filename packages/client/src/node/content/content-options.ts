/** How files become content. */
export interface ContentOptions {
  /** The folder that relative paths start from: the working directory of the session. Without it paths must be absolute. */
  readonly cwd?: string | undefined;
  /** The longest text that is embedded, in bytes; what is longer is linked to. Default 128 KiB. */
  readonly textLimit?: number | undefined;
  /** The largest image or sound that is sent along, in characters of base64; what is larger is linked to. Default 5 MiB. */
  readonly mediaLimit?: number | undefined;
}

export const defaultTextLimit: number = 128 * 1024;
export const defaultMediaLimit: number = 5 * 1024 * 1024;
