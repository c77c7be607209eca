/**
 * Makes each open dialog an entry of the browser's history, so that Back closes it, also as the gesture of a phone. A browser that does not report
 * when dialogs open leaves the page instead.
 */
export function keepDialogsInHistory(): void {
  // After a reload no dialog is open.
  if (isDialogEntry()) history.replaceState(null, '');
  // The event does not bubble.
  addEventListener('toggle', onToggle, true);
  addEventListener('popstate', () => openDialog()?.close());
}

/** Whether the current entry of the history is a dialog. */
export function isDialogEntry(): boolean {
  return (history.state as { readonly isDialog?: boolean } | null)?.isDialog === true;
}

function onToggle({ target }: Event): void {
  if (!(target instanceof HTMLDialogElement)) return;
  if (!target.open && isDialogEntry() && !openDialog()) history.back();
  if (target.open && !isDialogEntry()) history.pushState({ isDialog: true }, '');
}

function openDialog(): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>('dialog[open]');
}
