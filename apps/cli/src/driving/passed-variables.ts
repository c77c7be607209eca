/** The variable with which the built-in agent receives variables for the agents that it hires, as JSON. Its commands do not see it. */
export const passedVariable = 'TURNWIRE_CODER_PASSED';

/** Takes the variables for hired agents out of the environment of this process. */
export function takePassedVariables(): Readonly<Record<string, string>> {
  const passed = process.env[passedVariable];
  delete process.env[passedVariable];
  try {
    return passed === undefined ? {} : (JSON.parse(passed) as Readonly<Record<string, string>>);
  } catch {
    return {};
  }
}
