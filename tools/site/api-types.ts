import type { ApiDeclaration, ApiType } from './api-model.ts';

/** How a type is written: as code, or as Markdown with links. */
export interface TypeWriter {
  /** What is written for a text of a type. */
  readonly text: (text: string) => string;
  /** What is written for a name that leads to a declaration. */
  readonly name: (name: string, target: number) => string;
}

/** A type as code. */
export const asCode: TypeWriter = { text: (text) => text, name: (name) => name };

/** A type in the words of TypeScript. */
export function typeText(type: ApiType | undefined, writer: TypeWriter): string {
  if (type === undefined) return writer.text('unknown');
  return byKind[type.type]?.(type, writer) ?? writer.text(type.name ?? type.type);
}

const byKind: Readonly<Record<string, (type: ApiType, writer: TypeWriter) => string>> = {
  literal: ({ value }, { text }) => text(typeof value === 'string' ? `'${value}'` : String(value)),
  array: ({ elementType }, writer) => `${grouped(elementType, writer)}${writer.text('[]')}`,
  union: ({ types }, writer) => joined(types, ' | ', writer),
  intersection: ({ types }, writer) => joined(types, ' & ', writer),
  tuple: ({ elements }, writer) => `${writer.text('[')}${joined(elements, ', ', writer)}${writer.text(']')}`,
  namedTupleMember: ({ name, isOptional, element }, writer) =>
    `${writer.text(`${name}${isOptional ? '?' : ''}: `)}${typeText(element, writer)}`,
  rest: ({ elementType }, writer) => `${writer.text('...')}${typeText(elementType, writer)}`,
  optional: ({ elementType }, writer) => `${typeText(elementType, writer)}${writer.text('?')}`,
  typeOperator: ({ operator, target }, writer) =>
    `${writer.text(`${operator} `)}${typeText(target as ApiType, writer)}`,
  indexedAccess: ({ objectType, indexType }, writer) =>
    `${typeText(objectType, writer)}${writer.text('[')}${typeText(indexType, writer)}${writer.text(']')}`,
  query: ({ queryType }, writer) => `${writer.text('typeof ')}${typeText(queryType, writer)}`,
  predicate: ({ name, targetType }, writer) => `${writer.text(`${name} is `)}${typeText(targetType, writer)}`,
  conditional: ({ checkType, extendsType, trueType, falseType }, writer) =>
    `${typeText(checkType, writer)}${writer.text(' extends ')}${typeText(extendsType, writer)}${writer.text(' ? ')}${typeText(trueType, writer)}${writer.text(' : ')}${typeText(falseType, writer)}`,
  mapped: ({ parameter, parameterType, nameType, templateType }, writer) =>
    `${writer.text(`{ [${parameter} in `)}${typeText(parameterType, writer)}${nameType ? `${writer.text(' as ')}${typeText(nameType, writer)}` : ''}${writer.text(']: ')}${typeText(templateType, writer)}${writer.text(' }')}`,
  templateLiteral: ({ head = '', tail = [] }, writer) =>
    `${writer.text(`\`${head}`)}${tail.map(([type, rest]) => `${writer.text('${')}${typeText(type, writer)}${writer.text(`}${rest}`)}`).join('')}${writer.text('`')}`,
  reflection: ({ declaration }, writer) => objectText(declaration, writer),
  reference: ({ name = '', target, typeArguments = [] }, writer) => {
    const own = typeof target === 'number' ? writer.name(name, target) : writer.text(name);
    if (typeArguments.length === 0) return own;
    return `${own}${writer.text('<')}${joined(typeArguments, ', ', writer)}${writer.text('>')}`;
  },
};

/** Types that are put in brackets beside `[]`, `|` and `&`. */
function isOpen({ type, declaration }: ApiType): boolean {
  return (
    type === 'union' ||
    type === 'intersection' ||
    type === 'typeOperator' ||
    type === 'conditional' ||
    (type === 'reflection' && declaration?.signatures !== undefined)
  );
}

function grouped(type: ApiType | undefined, writer: TypeWriter): string {
  const own = typeText(type, writer);
  return type !== undefined && isOpen(type) ? `${writer.text('(')}${own}${writer.text(')')}` : own;
}

/** Types behind each other; in brackets where they need them. */
function joined(types: readonly ApiType[] = [], between: ' | ' | ' & ' | ', ', writer: TypeWriter): string {
  const texts = types.map((type) =>
    between === ', ' || type.type === 'typeOperator' ? typeText(type, writer) : grouped(type, writer),
  );
  return texts.join(writer.text(between));
}

function objectText(declaration: ApiDeclaration | undefined, writer: TypeWriter): string {
  const [signature] = declaration?.signatures ?? [];
  if (signature) return signatureText(signature, writer, ' => ');
  const members = (declaration?.children ?? []).map(
    (member) => `${writer.text(`${member.name}${member.flags?.isOptional ? '?' : ''}: `)}${memberType(member, writer)}`,
  );
  const indexes = (declaration?.indexSignatures ?? []).map(
    ({ parameters = [], type }) =>
      `${writer.text(`[${parameters[0]?.name ?? 'key'}: `)}${typeText(parameters[0]?.type, writer)}${writer.text(']: ')}${typeText(type, writer)}`,
  );
  const all = [...members, ...indexes];
  return all.length === 0
    ? writer.text('{}')
    : `${writer.text('{ ')}${all.join(writer.text('; '))}${writer.text(' }')}`;
}

/** The type of a member: of a method its signature, of a getter what it returns. */
export function memberType({ signatures, getSignature, type }: ApiDeclaration, writer: TypeWriter): string {
  const [signature] = signatures ?? [];
  return signature ? signatureText(signature, writer, ' => ') : typeText(getSignature?.type ?? type, writer);
}

/** `(name: type, …)` and what is returned, behind `: ` or ` => `. */
export function signatureText(
  { typeParameters, parameters = [], type }: ApiDeclaration,
  writer: TypeWriter,
  returns: ': ' | ' => ',
): string {
  const list = parameters.map((parameter) => {
    const { isRest, isOptional } = parameter.flags ?? {};
    return `${writer.text(`${isRest ? '...' : ''}${parameterName(parameter)}${isOptional ? '?' : ''}: `)}${typeText(parameter.type, writer)}`;
  });
  const returned = typeText(type, writer);
  const isLong = writer === asCode && returns === ': ' && list.join(', ').length + returned.length > 70;
  const inner = isLong ? `\n${list.map((each) => `  ${each},\n`).join('')}` : list.join(writer.text(', '));
  return `${typeParametersText(typeParameters, writer)}${writer.text('(')}${inner}${writer.text(`)${returns}`)}${returned}`;
}

/** A parameter that is taken apart has no name of its own. */
export function parameterName({ name }: ApiDeclaration): string {
  return name.startsWith('__') ? 'options' : name;
}

/** `<Name extends Type = Default>`, or nothing. */
export function typeParametersText(parameters: readonly ApiDeclaration[] = [], writer: TypeWriter): string {
  if (parameters.length === 0) return '';
  const list = parameters.map(
    ({ name, type, default: fallback }) =>
      `${writer.text(name)}${type ? `${writer.text(' extends ')}${typeText(type, writer)}` : ''}${fallback ? `${writer.text(' = ')}${typeText(fallback, writer)}` : ''}`,
  );
  return `${writer.text('<')}${list.join(writer.text(', '))}${writer.text('>')}`;
}
