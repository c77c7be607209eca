import type { EnvironmentVariables } from '../own-folders.ts';

/** The values of `${…}`. */
export interface VariableSource {
  readonly environment: EnvironmentVariables;
  /** The value of `${workspaceFolder}`. */
  readonly workspace: string | undefined;
}

// ${NAME}, ${NAME:-default} and ${env:NAME}; ${input:id} makes an editor ask the user.
const pattern = /\$\{(?:(?<kind>env|input):)?(?<variable>[A-Za-z_][\w-]*)(?<fallback>:-[^}]*)?\}/gu;

/**
 * Replaces `${NAME}` by its value, which is not expanded again. No message contains a value.
 * @param fail throws the problem
 */
export function expanded(text: string, source: VariableSource, fail: (problem: string) => never): string {
  return text.replace(pattern, (...match: unknown[]) => {
    const { kind, variable = '', fallback } = match.at(-1) as Partial<Record<'kind' | 'variable' | 'fallback', string>>;
    if (kind === 'input')
      fail(`refers to the input ${variable}, which only an editor can ask for. Use an environment variable instead.`);
    const value = valueOf(variable, source);
    // As in a shell, an empty value is replaced by the default too.
    if (fallback !== undefined) return value === undefined || value === '' ? fallback.slice(2) : value;
    return value ?? fail(`the variable ${variable} is not set. Set it, or add a default: \${${variable}:-…}.`);
  });
}

function valueOf(variable: string, { environment, workspace }: VariableSource): string | undefined {
  const value = Object.hasOwn(environment, variable) ? environment[variable] : undefined;
  return value ?? (variable === 'workspaceFolder' ? workspace : undefined);
}
