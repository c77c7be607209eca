import { errorText } from '@turnwire/client/error-text';
import {
  errorCodes,
  ProtocolError,
  type ReviewedChange,
  type ReviewedFile,
  type ReviewedText,
  type ReviewOverview,
  type UnsentComment,
} from '@turnwire/protocol';
import type { SessionStore } from '../state/session-store.ts';
import { Store } from '../state/store.ts';

/** The visible state of a review. */
interface ReviewState {
  /** Undefined until it is loaded. */
  readonly overview: ReviewOverview | undefined;
  /** The changes of the files that the user has unfolded, by path. Undefined: being loaded. */
  readonly unfolded: ReadonlyMap<string, ReviewedText | undefined>;
  /** An action is under way. */
  readonly isBusy: boolean;
  /** Why the last action, or a part of it, failed. */
  readonly failure: string;
  /** The server records no changes. */
  readonly isOff: boolean;
}

/** The review of a session in this window. */
export class ReviewStore {
  readonly state: Store<ReviewState> = new Store<ReviewState>({
    overview: undefined,
    unfolded: new Map(),
    isBusy: false,
    failure: '',
    isOff: false,
  });
  readonly #remote: SessionStore['remote'];
  #loading: Promise<void> | undefined;
  /** Why the last load failed. */
  #loadFailure = '';

  constructor({ remote }: SessionStore) {
    this.#remote = remote;
  }

  /** Loads the list of changed files, and the changes of those that are unfolded. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  /** Shows the changes of a file, or hides them. */
  async unfold({ path }: ReviewedFile, isUnfolded: boolean): Promise<void> {
    const unfolded = new Map(this.state.current.unfolded);
    unfolded.delete(path);
    if (isUnfolded) unfolded.set(path, undefined);
    this.state.change({ unfolded });
    if (isUnfolded) await this.#trying(() => this.#loadFile(path));
  }

  /** Accepts changes, or takes them back. */
  decide(decision: 'accept' | 'reject', changes: readonly ReviewedChange[]): Promise<void> {
    return this.#act(async () => {
      const { failures } = await this.#remote.ask('_turnwire/review_decide', { decision, changes });
      return failures;
    });
  }

  /** Adds a comment on lines of a file. Resolves with whether that succeeded. */
  async comment(comment: Omit<UnsentComment, 'code'>): Promise<boolean> {
    let isAdded = false;
    await this.#act(async () => {
      await this.#remote.ask('_turnwire/review_comment', comment);
      isAdded = true;
      return [];
    });
    return isAdded;
  }

  /** Removes a comment that was not sent. */
  forget(comment: UnsentComment): Promise<void> {
    return this.#act(() => this.#remote.ask('_turnwire/review_forget', { comment }));
  }

  /** Sends all comments to the agent as the next prompt. */
  send(): Promise<void> {
    return this.#act(() => this.#remote.ask('_turnwire/review_send', {}));
  }

  /** Commits what was accepted. Resolves with a report, which is empty after a failure. */
  async commit(message: string): Promise<string> {
    let report = '';
    await this.#act(async () => {
      const { commit, skippedHooks } = await this.#remote.ask('_turnwire/review_commit', { message });
      report = `Committed ${commit.slice(0, 10)}${skippedHooks ? '. The hooks of the repository did not run' : ''}`;
      return [];
    });
    return report;
  }

  /** The changes as a patch. */
  async patch(): Promise<Blob | undefined> {
    let file: Blob | undefined;
    await this.#trying(async () => {
      const { patch } = await this.#remote.ask('_turnwire/review_patch', {});
      file = new Blob([Uint8Array.from(atob(patch), (character) => character.charCodeAt(0))], { type: 'text/x-diff' });
    });
    return file;
  }

  /** Takes back what a turn changed. */
  undo(turn: number): Promise<void> {
    return this.#act(async () => (await this.#remote.ask('_turnwire/review_undo', { turn })).failures);
  }

  async #act(work: () => Promise<object>): Promise<void> {
    this.state.change({ isBusy: true, failure: '' });
    await this.#trying(async () => {
      const failures = await work();
      // A list that was requested before shows the state before.
      await this.#loading;
      await this.load();
      // Without any, a failure to load stays.
      if (Array.isArray(failures) && failures.length > 0) this.state.change({ failure: failureText(failures) });
    });
    this.state.change({ isBusy: false });
  }

  async #load(): Promise<void> {
    const earlier = this.#loadFailure;
    this.#loadFailure = await this.#trying(async () => {
      const overview = await this.#remote.ask('_turnwire/review', {});
      const before = this.state.current;
      const versions = new Map(overview.files.map(({ path, version }) => [path, version]));
      const unfolded = new Map([...before.unfolded].filter(([path]) => versions.has(path)));
      this.state.change({ overview, unfolded, isOff: false });
      const changed = [...unfolded].filter(([path, text]) => text?.file.version !== versions.get(path));
      await Promise.all(changed.map(([path]) => this.#loadFile(path)));
    });
    // The failure of an action stays.
    if (this.#loadFailure === '' && earlier !== '' && this.state.current.failure === earlier)
      this.state.change({ failure: '' });
  }

  async #loadFile(path: string): Promise<void> {
    const text = await this.#remote.ask('_turnwire/review_file', { path });
    const { unfolded } = this.state.current;
    if (unfolded.has(path)) this.state.change({ unfolded: new Map(unfolded).set(path, text) });
  }

  /** Resolves with the failure that is shown, or nothing. */
  async #trying(work: () => Promise<void>): Promise<string> {
    try {
      await work();
      return '';
    } catch (error) {
      const isOff = error instanceof ProtocolError && error.code === errorCodes.methodNotFound;
      const failure = isOff ? '' : errorText(error);
      this.state.change(isOff ? { isOff } : { failure });
      return failure;
    }
  }
}

function failureText(failures: readonly { readonly path: string; readonly why: string }[]): string {
  return failures.map(({ path, why }) => `${path} is left as it is: ${why}`).join('\n');
}
