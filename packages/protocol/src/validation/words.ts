import { isAbsolutePath } from './absolute-path.ts';
import { type Finding, refused, sound } from './finding.ts';
import { notAnInteger, notAPath, notText, typeOf } from './wording.ts';

/** The meaning of a shape that is one word. */
export interface Word {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
  /** Describes what was received, where its type alone is not enough. */
  readonly received?: (value: unknown) => string;
}

/** By name. Other names are those of definitions. */
export const words: ReadonlyMap<string, Word> = new Map<string, Word>([
  ['any', { expected: 'a value', fits: (value) => value !== undefined }],
  ['null', { expected: 'null', fits: (value) => value === null }],
  ['boolean', { expected: 'a boolean', fits: (value) => typeof value === 'boolean' }],
  ['double', { expected: 'a number', fits: Number.isFinite }],
  ['integer', { expected: 'an integer', fits: Number.isInteger, received: notAnInteger }],
  ['string', { expected: 'a string', fits: (value) => typeof value === 'string' }],
  ['text', { expected: 'some text', fits: (value) => typeof value === 'string' && value !== '', received: notText }],
  ['path', { expected: 'an absolute path', fits: isAbsolutePath, received: notAPath }],
]);

export function inspectWord({ expected, fits, received = typeOf }: Word, value: unknown): Finding {
  return fits(value) ? sound : refused(expected, received(value));
}
