import { type FormEvent, type ReactNode, useState } from 'react';
import { logInWithToken } from './server/login.ts';
import type { PageStore } from './state/page-store.ts';

/** Shown if the page is not logged in, because its ticket was already used or the server has restarted. */
export function LoginScreen({ page }: { readonly page: PageStore }): ReactNode {
  const [token, setToken] = useState('');
  const [failure, setFailure] = useState('');
  const submit = async (form: FormEvent): Promise<void> => {
    form.preventDefault();
    try {
      if (await logInWithToken(token.trim())) return await page.start();
      setToken('');
      setFailure('This token is not valid. See: turnwire serve tokens list');
    } catch {
      setFailure('The server cannot be reached. Check your network, then try again.');
    }
  };
  return (
    <main className="screen">
      <h1>Turnwire</h1>
      <p>
        This page is not logged in. Run <code>turnwire web</code> on the server's machine, which opens it with a ticket,
        or use a token of <code>turnwire serve tokens create</code>.
      </p>
      <form className="stack" onSubmit={(form) => void submit(form)}>
        <label>
          Token
          <input
            type="password"
            autoComplete="current-password"
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
