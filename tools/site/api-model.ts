import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

/** A part of a comment. A link in it names what it leads to. */
interface CommentPart {
  readonly kind: string;
  readonly text: string;
  readonly target?: number | string | object;
}

/** What typedoc reads of a comment. */
export interface ApiComment {
  readonly summary?: readonly CommentPart[];
  readonly blockTags?: readonly { readonly tag: string; readonly content: readonly CommentPart[] }[];
}

/** A type, as typedoc writes it down: which fields there are depends on `type`. */
export interface ApiType {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  /** What a reference leads to. A text for `typeOperator`s and other types is nested. */
  readonly target?: number | ApiType | object;
  readonly types?: readonly ApiType[];
  readonly elements?: readonly ApiType[];
  readonly elementType?: ApiType;
  readonly element?: ApiType;
  readonly typeArguments?: readonly ApiType[];
  readonly operator?: string;
  readonly declaration?: ApiDeclaration;
  readonly objectType?: ApiType;
  readonly indexType?: ApiType;
  readonly queryType?: ApiType;
  readonly targetType?: ApiType;
  readonly checkType?: ApiType;
  readonly extendsType?: ApiType;
  readonly trueType?: ApiType;
  readonly falseType?: ApiType;
  readonly parameter?: string;
  readonly parameterType?: ApiType;
  readonly templateType?: ApiType;
  readonly nameType?: ApiType;
  readonly isOptional?: boolean;
  readonly head?: string;
  readonly tail?: readonly (readonly [ApiType, string])[];
}

/** Anything with a name: a module, what it exports, its members, signatures, parameters. */
export interface ApiDeclaration {
  readonly id: number;
  readonly name: string;
  readonly kind: number;
  readonly flags?: { readonly isOptional?: boolean; readonly isRest?: boolean; readonly isStatic?: boolean };
  readonly comment?: ApiComment;
  readonly children?: readonly ApiDeclaration[];
  readonly signatures?: readonly ApiDeclaration[];
  readonly indexSignatures?: readonly ApiDeclaration[];
  readonly getSignature?: ApiDeclaration;
  readonly parameters?: readonly ApiDeclaration[];
  readonly typeParameters?: readonly ApiDeclaration[];
  readonly type?: ApiType;
  readonly default?: ApiType;
  readonly target?: number;
  readonly extendedTypes?: readonly ApiType[];
  readonly inheritedFrom?: { readonly target?: number | object };
}

/** What typedoc found: a module for each path that can be imported. */
export interface ApiModel {
  readonly children: readonly ApiDeclaration[];
}

const file = join(root, 'docs/api.json');

/** What `npm run check docs` found; undefined if that did not run. */
export function apiModel(): ApiModel | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ApiModel) : undefined;
}
