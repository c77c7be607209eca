const hidden = '[redacted]';

/** `//user:password@host`. */
const userInfo = /(:\/\/)[^\s/@]{1,512}@/g;
/** `?api_key=…`, also after the `#` of the address where a login ends. */
const parameter = /([?&#;][^=&\s#]{0,64}(?:key|token|secret|password|sig|signature|auth|credential)=)[^&\s#"'<>]+/gi;
/** `Authorization: Bearer …`. */
const scheme = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/g;
/** A header as a whole line, or as a word of a command. */
const header =
  /(^|["'])((?:proxy-)?authorization|(?:set-)?cookie|[\w-]{0,64}-(?:key|token|secret))(:[ \t]{0,8})[^\r\n"']{6,}/gim;

/** The endings of names whose values are secret. */
const name = String.raw`(?:key|token|secret|passw(?:or)?d|passphrase|credentials?|cookie|authorization)`;
/** A value in quotes, which are escaped themselves in a text of JSON: up to the same quotes, or the end of the line. */
const quoted = String.raw`(?<quote>\\{0,16}["'])(?:(?!(?<!\\)\k<quote>)[^\n])*`;
/** `ANTHROPIC_API_KEY=…` and `--api-key=…` or `--api-key …`. */
const variable = new RegExp(String.raw`\b([A-Z0-9_]{0,64}(?:KEY|TOKEN|SECRET|PASSWORD)=)(?:${quoted}|[^\s"']+)`, 'g');
const flag = new RegExp(String.raw`(--[\w-]{0,64}(?:key|token|secret|password)[= ])(?:${quoted}|[^\s"']+)`, 'g');
/** A member of JSON: `"apiKey":"…"`. Quotes are escaped where it is JSON within JSON. */
const member = new RegExp(
  String.raw`((?<quote>\\{0,16}")[\w.-]{0,64}${name}\k<quote>\s{0,16}:\s{0,16}\k<quote>)(?:(?!(?<!\\)\k<quote>)[^\n]){6,}`,
  'gi',
);
/** `password: …` and `api_key = "…"`. Values that look like a word or a call are left: most of them are text about keys. */
const assignment = new RegExp(
  String.raw`\b([\w.-]{0,64}${name}["']?\s{0,8}[:=]\s{0,8}["']?)(?=[^\s"'\d]{0,256}\d)[\w.~+/=!@$%^&*?-]{8,}(?![\w([])`,
  'gi',
);
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;
/** The forms of keys of well-known services. */
const keys =
  /\b(?:[srp]k-[\w-]{12,}|(?:[srp]k|key)[-_](?=[\w-]{0,128}\d)[\w-]{8,}|gsk_\w{12,}|xai-[\w-]{12,}|hf_\w{12,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abeprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{16,}|eyJ[\w-]{10,2000}\.[\w-]{10,4000}\.[\w-]{8,2000})/g;

/** The slower patterns match only texts with one of these words, and most texts have none. */
const hint = /key|token|secret|passw|credential|cookie|auth|bearer|basic|passphrase/i;

/** A text without the given secrets, and without what looks like one: keys, passwords in addresses, authorisations. */
export function redactText(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, hidden);
  if (clean.includes('://')) clean = clean.replace(userInfo, `$1${hidden}@`).replace(parameter, `$1${hidden}`);
  if (hint.test(clean)) clean = withoutNamed(clean);
  return clean.replace(keys, hidden);
}

/** Removes the values of names that stand for secrets. */
function withoutNamed(text: string): string {
  return text
    .replace(scheme, `$1 ${hidden}`)
    .replace(privateKey, hidden)
    .replace(header, `$1$2$3${hidden}`)
    .replace(variable, `$1$<quote>${hidden}`)
    .replace(flag, `$1$<quote>${hidden}`)
    .replace(member, `$1${hidden}`)
    .replace(assignment, `$1${hidden}`);
}
