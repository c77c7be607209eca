import { errorText } from '@turnwire/client/error-text';
import { type ReactNode, useRef, useState } from 'react';
import { Failure } from '../parts/failure.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { endLogin, fetchLogins, type Login } from '../server/server-facts.ts';

/** A dialog that lists the user's logins and the links to watch, and can end each of them. */
export function DevicesAndLinks(): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [listed, setListed] = useState<readonly Login[]>([]);
  const [failure, setFailure] = useState('');
  const load = (work: Promise<unknown>): void =>
    void work.then(fetchLogins).then(
      (logins) => {
        setFailure('');
        setListed(logins);
      },
      (error: unknown) => setFailure(errorText(error)),
    );
  const open = (): void => {
    dialog.current?.showModal();
    load(Promise.resolve());
  };
  return (
    <>
      <button type="button" className="bare" onClick={open}>
        Devices and links
      </button>
      <dialog ref={dialog} aria-label="Devices and links" closedby="any">
        <div className="stack">
          <h2>Devices and links</h2>
          {listed.map((login) => (
            <LoginRow key={login.id} login={login} onEnd={() => load(endLogin(login.id))} />
          ))}
          <Failure text={failure} />
          <button type="button" className="bare" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
      </dialog>
    </>
  );
}

function LoginRow({ login, onEnd }: { readonly login: Login; readonly onEnd: () => void }): ReactNode {
  const { session, label, browser, isThis, since, until } = login;
  const name = session === undefined ? browserName(browser ?? '') : `Link to watch the session ${session.slice(0, 8)}`;
  const facts = [
    ...(isThis ? ['this browser'] : []),
    ...(label === undefined ? [] : [label]),
    `since ${day(since)}`,
    ...(until === null ? [] : [`until ${day(until)}`]),
  ];
  return (
    <p>
      {name}
      <br />
      <small>
        <VisibleText text={facts.join(' · ')} />
      </small>{' '}
      {!isThis && (
        <button type="button" className="bare" aria-label={`End: ${name}`} onClick={onEnd}>
          End
        </button>
      )}
    </p>
  );
}

function day(time: number): string {
  return new Date(time).toLocaleDateString(undefined, { day: 'numeric', month: 'short' });
}

/** Other browsers include the names Chrome and Safari in their user agents, so they come first. */
const browsers = [
  ['Edge', /\bEdg/],
  ['Firefox', /\b(Firefox|FxiOS)\b/],
  ['Chrome', /Chrome|\bCriOS\b/],
  ['Safari', /\bSafari\b/],
] as const;
const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

function browserName(userAgent: string): string {
  const nameIn = (known: typeof browsers | typeof systems): string | undefined =>
    known.find(([, sign]) => sign.test(userAgent))?.[0];
  const system = nameIn(systems);
  return `${nameIn(browsers) ?? 'A browser'}${system === undefined ? '' : ` on ${system}`}`;
}
