import type { PromptResponse } from '@turnwire/protocol';

/** The usage in an agent's answer, which is not yet part of the stable protocol. */
export function usageOf(answer: PromptResponse): object | undefined {
  return (answer as { readonly usage?: object | null }).usage ?? undefined;
}

/** Adds the usage of another answer in the same turn: numbers are added up, and of everything else the later value is kept. */
export function sumOfUsage(sum: object | undefined, next: object | undefined): object | undefined {
  if (!sum || !next) return next ?? sum;
  const before: Readonly<Record<string, unknown>> = { ...sum };
  const added = Object.entries(next).map(([name, value]: [string, unknown]) => {
    const own = before[name];
    return [name, typeof own === 'number' && typeof value === 'number' ? own + value : (value ?? own)];
  });
  return { ...before, ...Object.fromEntries(added) };
}
