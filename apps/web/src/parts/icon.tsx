import type { ReactNode } from 'react';

const paths = {
  menu: 'M3 5h14M3 10h14M3 15h14',
  plus: 'M10 4v12M4 10h12',
  send: 'M10 16V4M5 9l5-5 5 5',
  stop: 'M6 6h8v8H6z',
  check: 'm4 10 4 4 8-8',
  cross: 'm5 5 10 10M15 5 5 15',
  wait: 'M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14M10 6v4l3 2',
  chevron: 'm7 4 6 6-6 6',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  read: 'M5 3h7l3 3v11H5zM8 9h4M8 12h4',
  edit: 'm4 16 1-4 8-8 3 3-8 8z',
  delete: 'M4 6h12M8 6V4h4v2M6 6l1 10h6l1-10',
  move: 'M4 10h12M12 6l4 4-4 4',
  search: 'M9 4a5 5 0 1 1 0 10A5 5 0 0 1 9 4zM13 13l4 4',
  execute: 'm4 6 4 4-4 4M10 14h6',
  think: 'M10 3a5 5 0 0 0-3 9v2h6v-2a5 5 0 0 0-3-9zM8 17h4',
  fetch: 'M10 3v10M6 9l4 4 4-4M4 17h12',
  switch_mode: 'M4 7h10l-3-3M16 13H6l3 3',
  other: 'M10 3v4M10 13v4M3 10h4M13 10h4',
  attach: 'm15 9-5 5a3 3 0 0 1-5-4l6-6a2 2 0 0 1 3 3l-6 6',
  more: 'M4.6 10a.6.6 0 1 1-1.2 0 .6.6 0 0 1 1.2 0M10.6 10a.6.6 0 1 1-1.2 0 .6.6 0 0 1 1.2 0M16.6 10a.6.6 0 1 1-1.2 0 .6.6 0 0 1 1.2 0',
  back: 'M8 4 4 8l4 4M4 8h8a4 4 0 0 1 0 8H9',
  warning: 'M10 4v7M10 14v1',
} as const;

export type IconName = keyof typeof paths;

/** Whether there is an icon with this name. */
export function isIconName(text: string): text is IconName {
  return Object.hasOwn(paths, text);
}

/** A small line drawing that decorates a text. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
