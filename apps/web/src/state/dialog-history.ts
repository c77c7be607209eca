/**
 * Makes each open dialog an entry of the browser's history, so that Back closes it, also as the gesture of a phone. A browser that does not report
 * when dialogs open leaves the page instead.
 */
export function keepDialogsInHistory(): void {
  // After a reload no dialog is open.
  if (isDialogEntry()) history.replaceState(null, '');
  // The events do not bubble. A dialog that is removed once it is closed gets no second event, and their order differs between browsers.
  addEventListener('toggle', onToggle, true);
  addEventListener('close', onClose, true);
  addEventListener('popstate', () => openDialog()?.close());
}

/** Whether the current entry of the history is a dialog. */
export function isDialogEntry(): boolean {
  return (history.state as { readonly isDialog?: boolean } | null)?.isDialog === true;
}

function onToggle({ target }: Event): void {
  if (!(target instanceof HTMLDialogElement)) return;
  if (target.open && !isDialogEntry()) history.pushState({ isDialog: true }, '');
}

function onClose({ target }: Event): void {
  if (target instanceof HTMLDialogElement && isDialogEntry() && !openDialog()) history.back();
}

function openDialog(): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>('dialog[open]');
}
