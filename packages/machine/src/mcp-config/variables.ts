import type { EnvironmentVariables } from '../own-folders.ts';

/** What `${…}` stands for. */
export interface VariableSource {
  readonly environment: EnvironmentVariables;
  /** What `${workspaceFolder}` stands for. */
  readonly workspace: string | undefined;
}

// ${NAME}, ${NAME:-default} and ${env:NAME}; ${input:id} is a question an editor would ask.
const pattern = /\$\{(?:(?<kind>env|input):)?(?<variable>[A-Za-z_][\w-]*)(?<fallback>:-[^}]*)?\}/gu;

/**
 * Puts values in place of `${NAME}`. What is put in is not looked at again. No message holds a value.
 * @param complain throws what is wrong, in words
 */
export function expanded(text: string, source: VariableSource, complain: (problem: string) => never): string {
  return text.replace(pattern, (...match: unknown[]) => {
    const { kind, variable = '', fallback } = match.at(-1) as Partial<Record<'kind' | 'variable' | 'fallback', string>>;
    if (kind === 'input')
      complain(`asks for the input ${variable}, which only an editor can. Use an environment variable instead.`);
    const value = valueOf(variable, source);
    // As in a shell: what is empty takes the default too.
    if (fallback !== undefined) return value === undefined || value === '' ? fallback.slice(2) : value;
    return value ?? complain(`the variable ${variable} is not set. Set it, or give a default: \${${variable}:-…}.`);
  });
}

function valueOf(variable: string, { environment, workspace }: VariableSource): string | undefined {
  const value = Object.hasOwn(environment, variable) ? environment[variable] : undefined;
  return value ?? (variable === 'workspaceFolder' ? workspace : undefined);
}
