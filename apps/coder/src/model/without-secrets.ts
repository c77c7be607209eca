// The formats of keys; providers may quote the wrong one.
const keyForms =
  /\b(?:sk|pk|gsk|xai|hf|key)[-_][\w-]{8,}|\bAIza[\w-]{16,}|\bBearer\s+[^\s"',]+|([?&](?:key|api[-_]?key|token)=)[^\s"'&]+/gi;

/** The text without these secrets, and without anything else that looks like a key. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const named = secrets
    .filter((secret) => secret.length >= 4)
    .reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
  return named.replaceAll(keyForms, (_, parameter: string | undefined) => `${parameter ?? ''}[key]`);
}
