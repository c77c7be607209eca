import { common, createLowlight } from 'lowlight';
import { escaped } from './escaped.ts';

const lowlight = createLowlight(common);

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: readonly string[] };
  readonly children?: readonly Node[];
}

/** Code as HTML, its words marked by what they are; plain in a language that is not known. */
export function highlighted(code: string, language: string): string {
  if (!lowlight.registered(language)) return escaped(code);
  return (lowlight.highlight(language, code).children as readonly Node[]).map(drawn).join('');
}

function drawn({ value, properties, children = [] }: Node): string {
  if (value !== undefined) return escaped(value);
  return `<span class="${(properties?.className ?? []).join(' ')}">${children.map(drawn).join('')}</span>`;
}
