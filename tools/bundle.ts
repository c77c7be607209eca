import { build } from 'esbuild';
import type { Metafile } from 'esbuild';
import { root } from './run.mjs';

/** A bundled program. */
export interface Bundle {
  readonly code: string;
  /** Every source file, with its imports. */
  readonly inputs: Metafile['inputs'];
}

/** Bundles a program that imports our packages by name, from their sources. For a browser, a `node:` import is an error. */
export async function bundle(program: string, platform: 'node' | 'browser'): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: `${root}/tools`, loader: 'ts' },
    bundle: true,
    minify: true,
    metafile: true,
    format: 'esm',
    platform,
    target: platform === 'node' ? 'node20' : 'es2023',
    conditions: ['@turnwire/source'],
    write: false,
    logLevel: 'silent',
  });
  return { code: outputFiles.map((file) => file.text).join(''), inputs: metafile.inputs };
}
