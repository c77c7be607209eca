const hidden = '[redacted]';

/** `//user:password@host`. */
const userInfo = /(:\/\/)[^\s/@]{1,512}@/g;
/** `?api_key=…`. */
const parameter = /([?&][^=&\s#]{0,64}(?:key|token|secret|password|sig|signature|auth|credential)=)[^&\s#"'<>]+/gi;
/** `Authorization: Bearer …`. */
const scheme = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/g;
/** `ANTHROPIC_API_KEY=…` and `--api-key=…` or `--api-key …`. */
const variable = /\b([A-Z0-9_]{0,64}(?:KEY|TOKEN|SECRET|PASSWORD)=)[^\s"']+/g;
const flag = /(--[\w-]{0,64}(?:key|token|secret|password)[= ])[^\s"']+/g;
/** What keys of well-known services look like. */
const keys =
  /\b(?:[sr]k-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abeprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,2000}\.[\w-]{10,4000}\.[\w-]{8,2000})/g;

/** A text without the given secrets, and without what looks like one: keys, passwords in addresses, authorisations. */
export function redactText(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, hidden);
  if (clean.includes('://')) clean = clean.replace(userInfo, `$1${hidden}@`).replace(parameter, `$1${hidden}`);
  return clean
    .replace(scheme, `$1 ${hidden}`)
    .replace(variable, `$1${hidden}`)
    .replace(flag, `$1${hidden}`)
    .replace(keys, hidden);
}
