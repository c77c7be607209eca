/** The page that asks for a key, with the reason if the last one was refused. */
export function keyFormPage({
  provider,
  keysAt,
  loginPath,
  refused,
}: {
  readonly provider: string;
  readonly keysAt: string;
  /** Absent if the provider cannot issue a key after a login. */
  readonly loginPath?: string | undefined;
  readonly refused?: string;
}): string {
  return page(
    `Your ${provider} key`,
    `${refused === undefined ? '' : `<p role="alert">${escape(refused)}</p>`}
${
  loginPath === undefined
    ? ''
    : `<p><a href="${escape(loginPath)}">Log in at ${escape(provider)}</a>, which makes a key for this agent. Or enter one:</p>\n`
}<form method="post" autocomplete="off">
<label for="key">The coding agent on this machine asks for your ${escape(provider)} API key.</label>
<input id="key" name="key" type="password" autocomplete="off" spellcheck="false" required autofocus>
<button>Save</button>
</form>
<p class="small">It is stored in a file only you can read, and sent only to ${escape(provider)}.
Create keys at <a href="${escape(keysAt)}" rel="noreferrer" target="_blank">${escape(keysAt)}</a>.</p>`,
  );
}

/** The page that confirms a stored key. */
export function keyDonePage(kept: string): string {
  return page('Done', `<p>${escape(kept)}</p><p>You can close this page and go back to your editor.</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 32rem; margin: 15vh auto; padding: 0 1rem }
label, input, button { display: block; font: inherit }
input { width: 100%; box-sizing: border-box; margin: .75rem 0; padding: .5rem }
button { padding: .5rem 1.5rem }
[role=alert] { border-left: .25rem solid #c33; padding-left: .75rem }
.small { font-size: .85rem; overflow-wrap: anywhere }
</style></head>
<body><h1>${escape(title)}</h1>
${body}
</body></html>
`;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
