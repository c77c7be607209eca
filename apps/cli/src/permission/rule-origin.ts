import type { PermissionRule } from '@turnwire/permissions';

/** The source of a rule, in words, and whether it waits for acceptance. */
export function ruleOrigin({ isAccepted, ...rule }: Pick<PermissionRule, 'source' | 'file' | 'isAccepted'>): string {
  return isAccepted === false ? `not accepted, ${placeOf(rule)}` : placeOf(rule);
}

function placeOf({ source, file }: Pick<PermissionRule, 'source' | 'file'>): string {
  switch (source) {
    case 'command-line':
      return 'command line';
    case 'session':
      return 'this session';
    case 'project':
    case 'user':
      return file === undefined ? source : `${source}, ${file}`;
  }
}
