import { type FormEvent, type ReactNode, useState } from 'react';
import { logInWithToken } from './server/server-facts.ts';
import type { PageStore } from './state/page-store.ts';

/** For a page that is not logged in: its ticket was used, or the server was started again. */
export function LoginScreen({ page }: { readonly page: PageStore }): ReactNode {
  const [token, setToken] = useState('');
  const [failure, setFailure] = useState('');
  const submit = async (form: FormEvent): Promise<void> => {
    form.preventDefault();
    const isIn = await logInWithToken(token.trim()).catch(() => false);
    setToken('');
    if (isIn) await page.start();
    else setFailure('This token is not valid. See: turnwire serve tokens list');
  };
  return (
    <main className="screen">
      <h1>Turnwire</h1>
      <p>
        This page is not logged in. Run <code>turnwire web</code> on the machine of the server, which opens it with a
        ticket, or use a token of <code>turnwire serve tokens create</code>.
      </p>
      <form className="stack" onSubmit={(form) => void submit(form)}>
        <label>
          Token
          <input
            type="password"
            autoComplete="off"
            value={token}
            onChange={({ target }) => setToken(target.value)}
            required
          />
        </label>
        <p role="alert" className="failure">
          {failure}
        </p>
        <button type="submit" className="primary">
          Log in
        </button>
      </form>
    </main>
  );
}
